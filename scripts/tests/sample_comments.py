"""Prints 50 comments of an artifact for a reader to judge: sample_comments.py ARTIFACT [SEED]."""

import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?:^[ ]*//[^\n]*\n)+[^\n]*|^[^\n/]*[;{,)][ ]*//[^\n]*", re.M)


def comments(artifact):
    """Yields each comment with its place and the line of code after it."""
    listed = ["git", "-C", ROOT, "ls-files", f"{artifact}/*.cpp", f"{artifact}/*.hpp"]
    for name in subprocess.check_output(listed, text=True).splitlines():
        text = (ROOT / name).read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}\n{found[0]}\n"


if __name__ == "__main__":
    every = list(comments(sys.argv[1]))
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 49
    print("\n".join(random.Random(seed).sample(every, 50)))
