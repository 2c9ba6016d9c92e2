"""The parser of every script's command line. It also installs how the script ends (endings.py).

Like the programs, it accepts no abbreviations and no option twice. Bad usage is reported in one
line."""

import argparse
import re
import sys

from gridloom_datasets import endings
from gridloom_datasets.errors import say


class StrictParser(argparse.ArgumentParser):
    # Arguments go into files and figures, which hold texts.
    utf8_only = True

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **({"allow_abbrev": False} | settings))

    def parse_known_args(self, args=None, namespace=None):
        endings.install()
        given = sys.argv[1:] if args is None else args
        self.refuse_bytes(given)
        self.refuse_repeated(given)
        return super().parse_known_args(args, namespace)

    def refuse_bytes(self, arguments):
        for word in map(str, arguments):
            if self.utf8_only and re.search("[\ud800-\udfff]", word):
                self.error(f"{word}: expected UTF-8")

    def refuse_repeated(self, arguments):
        seen = set()
        for word in arguments:
            if word == "--":
                break
            action = self._option_string_actions.get(str(word).split("=", 1)[0])
            if action is None or isinstance(action, argparse._AppendAction):
                continue
            if action.dest in seen:
                self.error(f"{'/'.join(action.option_strings)}: given more than once")
            seen.add(action.dest)

    def error(self, message):
        say(f"{self.prog}: {message} (see -h)", sys.stderr)
        sys.exit(2)
