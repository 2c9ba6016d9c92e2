"""Downloads that continue after an interruption. pooch keeps the files and compares checksums."""

import contextlib
import json
import re
import shutil
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pooch
import requests
import urllib3
from tqdm import tqdm

from gridloom_datasets.errors import FetchError, reason

TIMEOUTS_S = (20, 60)  # to connect, and between two pieces of an answer
ATTEMPTS = 4  # failed attempts in a row after which the download fails
PAUSE_S = 1.0  # after one failed attempt, doubled after each further one
PROGRESS_BYTES = 2**20  # an attempt that got this far does not count as failed


class Again(Exception):
    """This attempt failed, but another one may succeed."""


def split_credentials(mirror):
    """Returns (address without user and password, (user, password) or None). Addresses are printed
    and stored, but passwords are not. Throws ValueError unless it is an http or https address."""
    parts = urlsplit(mirror)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("expected http://... or https://...")
    given, _, host = parts.netloc.rpartition("@")
    user, _, password = given.partition(":")
    auth = (unquote(user), unquote(password)) if given else None
    return parts._replace(netloc=host).geturl(), auth


class ResumingDownloader:
    """Downloads to a .part file and hands it to pooch when it is complete.

    The .part stays when an attempt fails or the program ends. The .part.json beside it identifies
    the download. The rest is requested with Range and If-Range if the server named the version of
    the file by a strong ETag or by Last-Modified. Otherwise the download starts again. Either way
    two versions are never mixed."""

    def __init__(self, part, limit, title="", auth=None):
        self.part, self.limit, self.title, self.auth = Path(part), limit, title, auth
        self.state_path = self.part.with_name(self.part.name + ".json")

    def __call__(self, url, output_file, pooch_object=None):
        failures = 0
        while True:
            before = self.size()
            try:
                self.attempt(url)
                break
            except Again as error:
                failures = 0 if self.size() - before >= PROGRESS_BYTES else failures + 1
                if failures >= ATTEMPTS:
                    raise FetchError(f"{url}: {error}, {failures} times in a row") from error
            time.sleep(PAUSE_S * 2 ** max(failures - 1, 0))
        self.part.replace(output_file)
        self.state_path.unlink(missing_ok=True)

    def size(self):
        return self.part.stat().st_size if self.part.is_file() else 0

    def state(self, url):
        """What .part.json says about the .part; empty if it belongs to another address."""
        with contextlib.suppress(OSError, ValueError, AttributeError, RecursionError):
            state = json.loads(self.state_path.read_text(encoding="utf-8"))
            if state.get("url") == url:
                return state
        return {}

    def attempt(self, url):
        """Makes one request. Returns when the .part is complete; throws Again or FetchError
        otherwise."""
        state = self.state(url)
        have = self.size() if state else 0
        if have and have == state.get("bytes"):
            return
        headers = {"Accept-Encoding": "identity"}
        if have and state.get("version"):
            headers |= {"Range": f"bytes={have}-", "If-Range": str(state["version"])}
        try:
            with requests.get(
                url, headers=headers, stream=True, timeout=TIMEOUTS_S, auth=self.auth
            ) as answer:
                self.take(url, answer, have, state)
        except (requests.ConnectionError, requests.Timeout) as error:
            raise Again(network_reason(error)) from error
        except requests.RequestException as error:
            raise FetchError(f"{url}: {error}") from error

    def take(self, url, answer, have, state):
        status = answer.status_code
        if status == 416:
            self.part.unlink(missing_ok=True)
            raise Again("the server's file is not the one that was begun")
        if status in (408, 429) or status >= 500:
            raise Again(f"the server answers {status} {answer.reason}")
        if status not in (200, 206):
            raise FetchError(f"{url}: the server answers {status} {answer.reason}")
        if status == 200:
            # The server knows no Range, or has another version of the file.
            have = 0
        length = answer.headers.get("Content-Length", "")
        total = state.get("bytes") if have else int(length) if length.isdigit() else None
        if total is not None and total > self.limit:
            raise FetchError(f"{url}: {total:,} bytes, where at most {self.limit:,} were expected")
        if total is not None and total - have > shutil.disk_usage(self.part.parent).free:
            raise FetchError(
                f"{self.part.parent}: no space for the {total - have:,} bytes of {url}"
            )
        try:
            self.write(url, answer, have, total)
        except urllib3.exceptions.HTTPError as error:
            raise Again("the connection broke") from error
        except OSError as error:
            raise FetchError(f"cannot write {self.part}: {reason(error)}") from error
        if total is not None and self.size() != total:
            raise Again(f"the connection ended after {self.size():,} of {total:,} bytes")

    def write(self, url, answer, have, total):
        version = answer.headers.get("ETag", "")
        if not version or version.startswith("W/"):
            version = answer.headers.get("Last-Modified", "")
        with (
            open(self.part, "ab" if have else "wb") as file,
            # disable=None: a bar on a terminal, nothing elsewhere.
            tqdm(total=total, initial=have, desc=self.title, unit="B", unit_scale=True,
                 leave=False, disable=None) as bar,
        ):  # fmt: skip
            # The old bytes go first, because the note must never claim them for this version.
            note = {"url": url, "version": version, "bytes": total}
            self.state_path.write_text(json.dumps(note), encoding="utf-8")
            # Bytes stay undecoded, because some servers call .tar.gz a gzip encoding of a .tar.
            for block in answer.raw.stream(2**18, decode_content=False):
                file.write(block)
                have += len(block)
                bar.update(len(block))
                if have > self.limit:
                    self.part.unlink()
                    raise FetchError(f"{url}: more than the {self.limit:,} bytes expected")


def network_reason(error):
    """The innermost cause in words. The message of requests itself is a page of nested objects."""
    inner = error
    while inner.__cause__ or inner.__context__:
        inner = inner.__cause__ or inner.__context__
    return f"no connection ({reason(inner)})"


def download(matrix, folder, checksums, mirror, limit, work, auth=None):
    """Returns (archive of a matrix, whether it was downloaded now). An existing archive is not
    requested.

    `work` is an empty folder beside downloads/, so that the remains of a killed process are
    removed. The caller holds the matrix's lock. Throws FetchError. A download with a wrong checksum
    is removed; an existing file with a wrong checksum is kept."""
    folder.make("downloads")
    url, target = matrix.url_at(mirror), folder.download(matrix.name)
    known, source = checksums.known(matrix.url)
    if target.is_file():
        found = known and pooch.file_hash(str(target), alg="sha256")
        if found != known:
            raise FetchError(
                f"{target}: sha256 {found}, where {source} has {known}; it was there before and "
                "stays: remove it to have it downloaded"
            )
        return target, False
    pooch.get_logger().setLevel("ERROR")
    try:
        made = pooch.retrieve(
            url, known_hash=known and f"sha256:{known}", fname=target.name, path=work,
            downloader=ResumingDownloader(folder.part(matrix.name), limit, matrix.name, auth),
        )  # fmt: skip
    except ValueError as error:  # pooch raised it and has removed the file
        got = re.search(r"but got (\w+)", str(error))
        raise FetchError(
            f"{url}: sha256 {got[1] if got else 'differs'}, where {source} has {known}: "
            "not the file that was trusted first; removed"
        ) from error
    Path(made).replace(target)
    return target, True
