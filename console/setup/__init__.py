"""Getting ready: the environment of the program, the steps of the first use, and what the machine is like. No Qt."""
