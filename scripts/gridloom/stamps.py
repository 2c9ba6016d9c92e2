"""Records what was made from what, so that it is made again only after a change.

A stamp has a key, which says what a thing was made from, and the hashes of the files that were
made. The stamp is valid while the key is the same and the files are unchanged."""

import hashlib
import json
from pathlib import Path

from gridloom_datasets.files import write_text


def digest(*parts):
    """A key made of texts and of the contents of files."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        total.update(hashlib.sha256(data).digest())
    return total.hexdigest()


class Stamps:
    """Stamps by name, kept in one JSON file. Without a file, or with a damaged one, there are
    none."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            self.stamps = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.stamps = {}
        if not isinstance(self.stamps, dict):
            self.stamps = {}

    def get(self, name):
        return self.stamps.get(name)

    def holds(self, name, key):
        stamp = self.stamps.get(name)
        return (
            stamp is not None
            and stamp["key"] == key
            and all(Path(f).is_file() and digest(Path(f)) == h for f, h in stamp["files"].items())
        )

    def set(self, name, key, files, **more):
        made = {str(file): digest(Path(file)) for file in files}
        self.stamps[name] = {"key": key, "files": made, **more}
        self.save()

    def drop(self, name):
        """Called before a thing is made, so that an interrupted thing does not count as made."""
        if self.stamps.pop(name, None) is not None:
            self.save()

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_text(self.path, json.dumps(self.stamps, indent=1))
