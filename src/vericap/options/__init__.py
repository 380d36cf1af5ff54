"""The options of users: each option is declared once, as the field of a dataclass, from which the command line, the
keyword arguments of Python, their checks and their documentation follow."""
