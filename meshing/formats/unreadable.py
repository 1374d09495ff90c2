"""What is said of a file that is not what it should be."""


class Unreadable(Exception):  # noqa: N818, it says what is found
    """The file is none of its format: a few words, which name what is wrong in it."""
