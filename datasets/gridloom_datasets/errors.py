"""What the dataset tools raise when their input is at fault."""


class InputError(Exception):
    """Bad input; the message is one line, "place: expected ..., got ..."."""
