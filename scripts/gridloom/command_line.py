"""What the command lines of the measuring scripts share."""

import argparse

from gridloom_datasets.errors import InputError


class Parser(argparse.ArgumentParser):
    """Bad usage is an InputError, which the script prints in one line."""

    def error(self, message):
        raise InputError(message)


def whole_number(least, most):
    """The type of an option that takes whole numbers from `least` to `most`."""

    def convert(text):
        number = int(text) if text.isdecimal() and len(text) < 20 else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"expected {least} to {most}, got {text}")
        return number

    return convert
