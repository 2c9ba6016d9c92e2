"""Downloads: whole or not at all, resumed where the server allows it, never mixed."""

import errno
import json
import resource
import shutil

import pytest

from datasets_scene import noise
from gridloom_datasets import download
from gridloom_datasets.download import ResumingDownloader
from gridloom_datasets.errors import FetchError
from matrix_server import MatrixServer

DATA = noise(300_000)


@pytest.fixture
def server():
    with MatrixServer() as server:
        server.files["/f"] = DATA
        yield server


@pytest.fixture
def get(server, tmp_path, monkeypatch):
    """Downloads /f and returns what arrived; the .part is beside it."""
    monkeypatch.setattr(download, "PAUSE_S", 0.001)
    monkeypatch.setattr(download, "PROGRESS_BYTES", 100_000)

    def run(limit=10**6, url=None):
        target = tmp_path / "f"
        ResumingDownloader(tmp_path / "f.part", limit)(url or f"{server.url}/f", target)
        assert [path.name for path in tmp_path.iterdir()] == ["f"]
        return target.read_bytes()

    return run


def seen(server):
    return [(request.range, request.status) for request in server.requests]


@pytest.mark.parametrize("lengths", [True, False])
def test_a_cut_connection_is_resumed(server, get, lengths):
    server.lengths = lengths
    server.cuts = [100_000, 150_000]
    # A cut looks like the end. Only the checksum and the archive reveal it.
    if not lengths:
        assert get() == DATA[:100_000]
        return
    assert get() == DATA
    assert seen(server) == [(None, 200), ("bytes=100000-", 206), ("bytes=250000-", 206)]
    assert [request.sent for request in server.requests] == [100_000, 150_000, 50_000]
    assert {request.if_range for request in server.requests[1:]} == {server.tag(DATA)}


def test_without_a_version_a_cut_connection_starts_again(server, get):
    server.tags = False
    server.cuts = [100_000]
    assert get() == DATA and seen(server) == [(None, 200), (None, 200)]


def test_a_server_that_ignores_range_is_asked_for_the_whole(server, get):
    server.ranges = False
    server.cuts = [100_000]
    assert get() == DATA
    assert seen(server) == [(None, 200), ("bytes=100000-", 200)]


def test_a_file_that_changes_between_is_not_mixed(server, get, tmp_path):
    server.cuts = [100_000] + [0] * 4
    with pytest.raises(FetchError):
        get()
    server.requests.clear()
    server.files["/f"] = bytes(len(DATA))
    assert get() == bytes(len(DATA))
    assert seen(server) == [("bytes=100000-", 200)]  # the file had changed


def test_a_part_of_another_address_or_of_unknown_origin_is_not_continued(server, get, tmp_path):
    for note in (None, "{", '{"url": "http://elsewhere/f", "bytes": 300000}'):
        (tmp_path / "f.part").write_bytes(b"x" * 1000)
        if note:
            (tmp_path / "f.part.json").write_text(note)
        assert get() == DATA


def test_a_whole_part_is_not_asked_for_again(server, get, tmp_path):
    (tmp_path / "f.part").write_bytes(DATA)
    note = {"url": f"{server.url}/f", "bytes": len(DATA)}
    (tmp_path / "f.part.json").write_text(json.dumps(note))
    assert get() == DATA and server.requests == []


def test_the_server_may_be_busy_for_a_while(server, get):
    server.statuses = [503, 429, 500]
    assert get() == DATA and len(server.requests) == 4


def test_attempts_without_progress_end(server, get, tmp_path):
    server.cuts = [100_000, 5, 5, 5, 5, 5, 5]
    with pytest.raises(FetchError, match=r"connection broke, 4 times in a row"):
        get()
    assert len(server.requests) == 5  # the first attempt made progress
    assert (tmp_path / "f.part").read_bytes() == DATA[:100_020]


@pytest.mark.parametrize("status", [404, 403, 410, 418])
def test_a_refusal_is_final(server, get, status):
    server.statuses = [status]
    with pytest.raises(FetchError, match=f"/f: the server answers {status}"):
        get()
    assert len(server.requests) == 1


def test_a_refused_connection_is_reported(get):
    with pytest.raises(FetchError, match=r"no connection \(Connection refused\)"):
        get(url="http://127.0.0.1:9/f")


@pytest.mark.parametrize("lengths", [True, False])
def test_more_than_the_limit_is_refused(server, get, tmp_path, lengths):
    server.lengths = lengths
    word = "300,000 bytes, where at most" if lengths else "more than the 299,999 bytes"
    with pytest.raises(FetchError, match=word):
        get(limit=len(DATA) - 1)
    assert not (tmp_path / "f").exists() and not (tmp_path / "f.part").exists()
    assert get(limit=len(DATA)) == DATA


def test_too_little_space_is_reported_before_the_download(server, get, tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)._replace(free=len(DATA) - 1)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(FetchError, match="no space for the 300,000 bytes"):
        get()
    assert not (tmp_path / "f.part").exists()


def test_a_full_disk_is_named_and_the_part_kept(get, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        with pytest.raises(FetchError, match=r"cannot write .*f.part: ") as raised:
            get()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert raised.value.__cause__.errno == errno.EFBIG
    part = (tmp_path / "f.part").read_bytes()
    assert 0 < len(part) <= 200_000 and DATA.startswith(part)
    assert get() == DATA
