"""Fetching: a matrix is there when it is whole and right, and otherwise not at all."""

import gzip
import json
import os
import signal
import subprocess
import threading
import time

import pytest

from datasets_scene import Scene, arrow, noise
from gridloom_datasets.archive import OTHER_MEMBERS_BYTES
from gridloom_datasets.errors import FetchError
from gridloom_datasets.matrix_program import find_program
from matrix_server import MatrixServer

DONE = ["checksums.lock", "csr/a.h5", "downloads/a.tar.gz"]


@pytest.fixture
def scene(tmp_path, monkeypatch):
    with MatrixServer() as server:
        yield Scene(tmp_path, monkeypatch, server)


def complaints(capsys):
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("datasets: ") for line in lines), lines
    return lines


def test_a_matrix_is_downloaded_checked_converted_and_recorded(scene, capsys):
    assert scene.add("a").run("fetch", "a") == 0
    assert scene.files() == DONE
    facts = scene.facts("a")
    assert (facts["num_rows"], facts["entries"]) == (4, 10)
    lock = json.loads((scene.data / "checksums.lock").read_text())["files"]
    (url,) = lock
    assert url == "https://sparse.tamu.edu/MM/G/a.tar.gz"  # not the mirror
    assert lock[url]["bytes"] == len(scene.server.files[scene.path("a")])
    assert facts["source"].startswith("G/a, http://") and lock[url]["sha256"] in facts["source"]
    assert complaints(capsys) == []


def test_what_is_there_is_not_fetched_again(scene, capsys):
    scene.add("a").run("fetch", "a")
    assert scene.run("fetch", "a") == 0 and "already there" in capsys.readouterr().out
    (scene.data / "csr/a.h5").unlink()
    assert scene.run("fetch", "a") == 0  # from downloads/
    assert len(scene.server.requests) == 1


def test_sets_and_all(scene, capsys):
    scene.add("a").add("b", set="jacobi").add("c", n=7)
    assert scene.run("fetch", "--set", "rcm") == 0
    assert [r.path for r in scene.server.requests] == [scene.path("a"), scene.path("c")]
    assert scene.run("fetch", "--all") == 0
    assert scene.server.requests[-1].path == scene.path("b")
    assert "A3: is generated" in capsys.readouterr().out


def test_a_changed_file_is_refused_and_removed(scene, capsys):
    scene.add("a").run("fetch", "a")
    for folder in ("csr/a.h5", "downloads/a.tar.gz"):
        (scene.data / folder).unlink()
    scene.server.files[scene.path("a")] += b"\0"
    assert scene.run("fetch", "a") == 1
    (line,) = complaints(capsys)
    assert "sha256" in line and "checksums.lock" in line
    assert scene.files() == ["checksums.lock"]


def test_the_committed_checksum_wins(scene, capsys):
    lock = {"files": {"https://sparse.tamu.edu/MM/G/a.tar.gz": {"sha256": "0" * 64, "bytes": 1}}}
    scene.add("a").run("fetch", "a")
    (scene.data / "csr/a.h5").unlink()
    scene.committed.write_text(json.dumps(lock))
    assert scene.run("fetch", "a") == 1  # although the folder's own lock file agrees
    (line,) = complaints(capsys)
    assert "committed.lock" in line
    assert "csr/a.h5" not in scene.files()


def test_the_folders_checksum_stays_when_the_committed_one_is_used(scene):
    scene.add("a").run("fetch", "a")
    lock = scene.data / "checksums.lock"
    scene.committed.write_text(lock.read_text())
    (scene.data / "csr/a.h5").unlink()
    (url,) = json.loads(lock.read_text())["files"]
    other = json.dumps({"files": {url: {"sha256": "0" * 64}}})
    lock.write_text(other)
    assert scene.run("fetch", "a") == 0 and lock.read_text() == other


def test_a_trusted_archive_stays_when_the_manifest_is_wrong(scene, capsys):
    scene.add("a").run("fetch", "a")
    (scene.data / "csr/a.h5").unlink()
    text = scene.manifest.read_text()
    scene.manifest.write_text(text.replace("n = 4", "n = 5"))
    assert scene.run("fetch", "a") == 1
    assert scene.files() == ["checksums.lock", "downloads/a.tar.gz"]
    assert len(scene.server.requests) == 1


def test_a_broken_lock_file_is_named_and_kept(scene, capsys):
    scene.add("a").data.mkdir()
    lock = scene.data / "checksums.lock"
    for text in ("{", "[]", '{"files": {"u": {"sha256": "12"}}}', '{"files": {"u": 1}}'):
        lock.write_text(text)
        assert scene.run("fetch", "a") == 1
        (line,) = complaints(capsys)
        assert str(lock) in line and lock.read_text() == text
    assert scene.server.requests == []


@pytest.mark.parametrize(
    "wrong, word",
    [
        ({"rows": 5}, "num_rows is 4, not 5"),
        ({"entries": 11, "nonzeros": 11}, "entries is 10, not 11"),
        ({"band": 2}, "lower_bandwidth is 3, not 2"),
        ({"band": 4}, "upper_bandwidth is 3, not 4"),
        ({"band": 4, "nonzeros": 9}, "lower_bandwidth is 3, not 4"),
    ],
)
def test_a_matrix_with_other_numbers_is_not_kept_nor_trusted(scene, capsys, wrong, word):
    assert scene.add("a", **wrong).run("fetch", "a") == 1
    (line,) = complaints(capsys)
    assert word in line
    assert scene.files() == []


def test_stored_zeros_may_lie_outside_the_band_of_the_index(scene):
    assert scene.add("a", band=2, nonzeros=8).run("fetch", "a") == 0


def test_a_page_that_is_no_archive_is_asked_for_again(scene, capsys):
    right = scene.add("a").server.files[scene.path("a")]
    scene.server.files[scene.path("a")] = b"<html>please log in</html>"
    assert scene.run("fetch", "a") == 1
    (line,) = complaints(capsys)
    assert "not a whole .tar.gz" in line and scene.files() == []
    scene.server.files[scene.path("a")] = right
    assert scene.run("fetch", "a") == 0


def test_others_are_fetched_after_a_failure(scene, capsys):
    scene.add("a").add("b").add("c")
    del scene.server.files[scene.path("b")]
    assert scene.run("fetch", "a", "b", "c") == 1
    first, last = complaints(capsys)
    assert first.startswith("datasets: b: ") and "404" in first
    assert last == "datasets: 1 of 3 failed: b"
    assert {"csr/a.h5", "csr/c.h5"} < set(scene.files())


def test_a_failing_conversion_leaves_nothing_but_the_download(scene, capsys, monkeypatch):
    scene.add("a")
    for wish in ("fail", "half"):
        monkeypatch.setenv("FAKE_CONVERT", wish)
        assert scene.run("fetch", "a") == 1
        assert complaints(capsys) == ["datasets: a: gridloom-matrix: no luck"]
        assert scene.files() == ["downloads/a.tar.gz"]
    monkeypatch.delenv("FAKE_CONVERT")
    assert scene.run("fetch", "a") == 0 and len(scene.server.requests) == 1


def test_a_local_matrix_is_found(scene, capsys):
    scene.add("a").put_local("a", 4)
    assert scene.run("fetch", "a") == 0
    assert scene.server.requests == [] and scene.files() == ["csr/a.h5", "matrices/a.mtx.gz"]


def test_a_local_matrix_of_a_read_only_folder_is_found(scene, tmp_path):
    scene.add("a").put_local("a", 4)
    assert scene.run("fetch", "a", "--data-dir", tmp_path / "mine") == 0
    assert scene.server.requests == [] and (tmp_path / "mine/csr/a.h5").is_file()
    assert scene.files() == ["matrices/a.mtx.gz"]


def test_another_local_matrix_of_the_same_name_is_passed_over(scene, capsys):
    scene.add("a").put_local("a", 6)
    assert scene.run("fetch", "a") == 0
    (line,) = complaints(capsys)
    assert "passed over" in line and "num_rows is 6" in line
    assert scene.facts("a")["num_rows"] == 4
    assert gzip.decompress((scene.data / "matrices/a.mtx.gz").read_bytes()) == arrow(6)


@pytest.mark.parametrize("folder", ["csr", "downloads", "locks", "work"])
def test_a_folder_that_cannot_be_made_is_named(scene, capsys, folder):
    scene.add("a").data.mkdir()
    (scene.data / folder).write_text("in the way")
    assert scene.run("fetch", "a") == 1
    (line,) = complaints(capsys)
    assert str(scene.data / folder) in line and "--data-dir" in line
    assert "csr/a.h5" not in scene.files()


def test_a_read_only_data_folder_is_named(scene, capsys, monkeypatch):
    scene.add("a").data.mkdir()
    if os.geteuid() == 0:  # root may write anywhere, but not there
        monkeypatch.setenv("GRIDLOOM_DATA_DIR", "/proc/gridloom")
    else:
        scene.data.chmod(0o500)
    assert scene.run("fetch", "a") == 1
    (line,) = complaints(capsys)
    assert "cannot write to" in line and "GRIDLOOM_DATA_DIR" in line


def test_leftovers_of_a_killed_process_do_not_matter(scene):
    scene.add("a")
    (scene.data / "work/a").mkdir(parents=True)
    (scene.data / "work/a/a.mtx").write_text("half")
    assert scene.run("fetch", "a") == 0 and scene.files() == DONE


def test_two_fetches_at_once_download_once(scene, capsys):
    scene.add("a", extra=[("a/a_b.mtx", noise(400_000))])
    scene.server.pause_s = 0.02
    codes = []
    threads = [
        threading.Thread(target=lambda: codes.append(scene.run("fetch", "a"))) for _ in "123"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert codes == [0, 0, 0] and len(scene.server.requests) == 1
    assert scene.files() == DONE
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == ["a: already there"] * 2 + ["a: downloaded and converted"]
    assert all("waiting for another fetch" in line for line in err.splitlines())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_ended_fetch_is_resumed(scene, number):
    scene.add("a", extra=[("a/a_b.mtx", noise(800_000))])
    scene.server.pause_s = 0.05
    process = scene.start("fetch", "a")
    wait_until(lambda: scene.server.requests and scene.server.requests[0].sent > 500_000)
    process.send_signal(number)
    _, text = process.communicate(timeout=30)
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert text.startswith("datasets: interrupted") and text.count("\n") == 1
    kept = (scene.data / "downloads/a.tar.gz.part").stat().st_size
    assert kept > 0 and "csr/a.h5" not in scene.files()
    scene.server.pause_s = 0
    assert scene.run("fetch", "a") == 0
    whole = len(scene.server.files[scene.path("a")])
    last = scene.server.requests[-1]
    assert (last.range, last.status, last.sent) == (f"bytes={kept}-", 206, whole - kept)
    assert set(DONE) <= set(scene.files()) and not list(scene.data.rglob("*.part*"))


def wait_until(true):
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end, "waited for 30 s"
        time.sleep(0.01)


def test_the_limit_leaves_room_for_the_largest_extras():
    assert OTHER_MEMBERS_BYTES >= 100 * 2**20


def test_a_real_matrix_goes_through_the_real_program(tmp_path, run_script):
    if not os.environ.get("GRIDLOOM_DATA_DIR"):
        pytest.skip("GRIDLOOM_DATA_DIR is not set: no real matrix")
    try:
        program = find_program()
    except FetchError as error:
        pytest.skip(str(error))
    shown = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60).stdout
    if "convert" not in shown:
        pytest.skip(f"{program} has no commands yet")
    done = run_script("scripts/datasets", "fetch", "mario001", "--data-dir", tmp_path)
    assert done.returncode == 0, f"{program}: {done.stderr}"
    assert "converted from" in done.stdout and (tmp_path / "csr/mario001.h5").is_file()
