"""How scripts handle files: inputs, outputs, links, locks, signals, full disks."""

import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from gridloom_datasets.arguments import StrictParser
from gridloom_datasets.errors import InputError
from gridloom_datasets.files import (
    destination_of,
    lead_to_one_file,
    locked,
    open_input,
    require_different_files,
    write_bytes,
    written_aside,
)


def start(code, *arguments, **settings):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **settings)


def test_only_regular_files_are_inputs(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, words in {
        tmp_path / "pipe": "expected a regular file, got a pipe",
        "/dev/zero": "expected a regular file, got a device",
        tmp_path: "expected a regular file, got a folder",
        tmp_path / "absent": "expected a readable file, got No such file",
        "a\0b": "expected a readable file, got embedded null",
    }.items():
        with pytest.raises(InputError) as refused:
            open_input(path)
        assert str(refused.value).startswith(f"{path}: {words}")


def test_names_of_one_file_are_found_out_before_it_is_there(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "other").symlink_to("sub")
    (tmp_path / "link").symlink_to("new")
    new = tmp_path / "new"
    for name in ("sub/../new", "./new", "link", "other/../new"):
        assert lead_to_one_file(new, tmp_path / name), name
    assert lead_to_one_file(tmp_path / "sub/x", tmp_path / "other/x")
    assert not lead_to_one_file(new, tmp_path / "sub/new")
    new.write_text("x")
    os.link(new, tmp_path / "hard")
    assert lead_to_one_file(new, tmp_path / "hard")
    require_different_files([("--a", new), ("--b", None), ("--c", tmp_path / "sub")])
    with pytest.raises(InputError, match="--b: expected another file than --a"):
        require_different_files([("--a", new), ("--b", tmp_path / "link")])


def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "link").symlink_to("real")
    for text in (b"new", b"again"):
        write_bytes(tmp_path / "link", text)
        assert (tmp_path / "real").read_bytes() == text and (tmp_path / "link").is_symlink()
    assert destination_of(tmp_path / "link") == (tmp_path / "real").resolve()


def test_links_that_lead_in_a_circle_stay(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError):
        write_bytes(tmp_path / "a", b"x")
    assert all((tmp_path / name).is_symlink() for name in "ab")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "out").write_text("old")
    with pytest.raises(ValueError), written_aside(tmp_path / "out") as partial:
        partial.write_text("half")
        raise ValueError
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "old"


def test_a_signal_removes_partial_files_and_locks(tmp_path):
    code = (
        "import sys, time\nfrom gridloom_datasets import endings\n"
        "from gridloom_datasets.files import locked, written_aside\nendings.install()\n"
        "out = sys.argv[1]\n"
        "with locked(out), written_aside(out) as a, written_aside(out) as b:\n"
        "    a.write_text('half')\n    b.write_text('half')\n"
        "    print('ready', flush=True)\n    time.sleep(600)\n"
    )
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        process = start(code, tmp_path / "out", stdout=subprocess.PIPE)
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        process.communicate(timeout=900)
        assert process.returncode == -number
        assert list(tmp_path.iterdir()) == []


def test_one_process_at_a_time_holds_a_lock(tmp_path):
    """Each adds one to a number in a file: a lost update is a smaller number."""
    count = tmp_path / "count"
    count.write_text("0")
    code = (
        "import sys\nfrom gridloom_datasets.files import locked, write_text\n"
        "for _ in range(10):\n    with locked(sys.argv[1], 900):\n"
        "        write_text(sys.argv[1], str(int(open(sys.argv[1]).read()) + 1))\n"
    )
    processes = [start(code, count) for _ in range(4)]
    assert [process.wait(timeout=900) for process in processes] == [0] * 4
    for process in processes:
        process.stderr.close()
    assert count.read_text() == "40"
    assert [path.name for path in tmp_path.iterdir()] == ["count"]


def test_a_lock_is_given_up_in_time(tmp_path, capfd):
    with locked(tmp_path / "out", 900):
        begin = time.monotonic()
        with (
            pytest.raises(InputError, match="another program still adds"),
            locked(tmp_path / "out", 0.2),
        ):
            pass
        assert time.monotonic() - begin >= 0.2
    assert capfd.readouterr().err.count("waiting until it is done") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_raises_an_error(tmp_path):
    code = (
        "import resource, signal, sys\nfrom gridloom_datasets import hdf5\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    hdf5.write(sys.argv[1], lambda f: f.create_dataset('x', data=[0.5] * 10**5))\n"
        "except OSError as error:\n    sys.exit(f'said: {error.strerror}')\n"
    )
    process = start(code, tmp_path / "out.h5")
    _, said = process.communicate(timeout=900)
    assert process.returncode == 1 and said == "said: File too large\n"
    assert list(tmp_path.iterdir()) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096


def test_no_option_is_taken_twice_or_guessed(capsys):
    parser = StrictParser(prog="test")
    parser.add_argument("-n", "--number", type=int)
    parser.add_argument("--option", action="append")
    assert parser.parse_args(["--option", "a", "--option", "b", "-n", "1"]).option == ["a", "b"]
    for words in (["--number", "1", "--number", "2"], ["-n", "1", "--number=2"], ["--num", "1"]):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args(words)
        assert ended.value.code == 2 and capsys.readouterr().err.count("\n") == 1
