"""The checks of the doctor. Each looks and changes nothing."""
