"""Checksums of downloads, trusted on first use: later downloads from an address must be equal.

A lock file is JSON, {"files": {URL: {"sha256": HEX, "bytes": N}}}. The file in the repository wins
over that in the data folder. URLs are those of the manifest. So a mirror must deliver the same
bytes as the collection."""

import json
import re
from pathlib import Path

from gridloom_datasets.errors import FetchError, reason
from gridloom_datasets.files import write_text

COMMITTED = Path(__file__).resolve().parents[1] / "checksums.lock"


def read_lock(path):
    """Returns {URL: entry}, which is empty without a file. Throws FetchError if the file is
    invalid."""
    try:
        files = json.loads(Path(path).read_text(encoding="utf-8"))["files"]
        for url, entry in files.items():
            if not re.fullmatch("[0-9a-f]{64}", entry["sha256"]):
                raise ValueError(f"the sha256 of {url} is not 64 hexadecimal digits")
    except FileNotFoundError:
        return {}
    except RecursionError as error:
        raise FetchError(f"{path}: expected JSON that is nested less deeply") from error
    except (KeyError, AttributeError, TypeError) as error:
        raise FetchError(f"{path}: expected {{'files': {{URL: {{'sha256': ...}}}}}}") from error
    except (OSError, ValueError) as error:
        raise FetchError(f"{path}: {reason(error)}") from error
    return files


class Checksums:
    """The lock files of the repository and of a data folder, seen as one."""

    def __init__(self, folder):
        self.folder = folder

    def known(self, url):
        """Returns (sha256, the file that has it), or (None, None) on first use."""
        for path in (COMMITTED, self.folder.checksums):
            entry = read_lock(path).get(url)
            if entry:
                return entry["sha256"], path
        return None, None

    def record(self, url, sha256, size):
        """Adds an entry to the data folder's file, unless the URL has one."""
        path = self.folder.checksums
        with self.folder.lock("checksums"):
            files = read_lock(path)
            if url in files:
                return
            files[url] = {"sha256": sha256, "bytes": size}
            text = json.dumps({"files": dict(sorted(files.items()))}, indent=2) + "\n"
            write_text(path, text)
