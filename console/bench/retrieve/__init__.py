"""The retrieve bench: how long a search takes, branch by branch, beside bare engines."""
