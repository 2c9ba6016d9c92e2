"""Pictures become grey images, and what is none is refused."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from conftest import ROOT


@pytest.fixture
def make(run_script, tmp_path):
    output = tmp_path / "out.pgm"
    return lambda name: run_script("scripts/make_pgm", tmp_path / name, "--output", output)


def test_grey_pictures_keep_their_pixels(make, tmp_path):
    pixels = np.arange(6, dtype=np.uint8).reshape(2, 3) * 40
    Image.fromarray(pixels).save(tmp_path / "a.png")
    done = make("a.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.pgm").read_bytes() == b"P5\n3 2\n255\n" + pixels.tobytes()
    assert {p.name for p in tmp_path.iterdir()} == {"a.png", "out.pgm"}


def test_colours_become_luma(make, tmp_path):
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]], dtype=np.uint8)
    for name in ("rgb.png", "palette.png"):
        picture = Image.fromarray(colours)
        (picture.convert("P", palette=Image.Palette.ADAPTIVE) if name[0] == "p" else picture).save(
            tmp_path / name
        )
        assert make(name).returncode == 0
        assert (tmp_path / "out.pgm").read_bytes() == b"P5\n4 1\n255\n" + bytes([76, 150, 29, 9])


def test_only_8_bit_pictures_are_read(make, tmp_path):
    Image.fromarray(np.zeros((2, 2), dtype=np.uint16)).save(tmp_path / "deep.png")
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "short.png").write_bytes((tmp_path / "deep.png").read_bytes()[:40])
    for name in ("deep.png", "text.png", "short.png", "none.png", "."):
        done = make(name)
        assert done.returncode == 2, name
        assert done.stderr.startswith("make_pgm: ") and done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "out.pgm").exists()


def test_a_picture_is_not_written_over(run_script, tmp_path):
    path = tmp_path / "a.png"
    Image.fromarray(np.zeros((2, 2), dtype=np.uint8)).save(path)
    before = path.read_bytes()
    done = run_script("scripts/make_pgm", path, "--output", path)
    assert done.returncode == 2 and "--output" in done.stderr
    assert path.read_bytes() == before


def test_a_pipe_is_refused_and_a_link_is_followed(make, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = make("pipe")
    assert done.returncode == 2 and "expected a regular file, got a pipe" in done.stderr
    Image.fromarray(np.zeros((2, 2), dtype=np.uint8)).save(tmp_path / "a.png")
    (tmp_path / "out.pgm").symlink_to("real.pgm")
    assert make("a.png").returncode == 0
    assert (tmp_path / "out.pgm").is_symlink() and (tmp_path / "real.pgm").is_file()


def test_a_signal_leaves_no_part_of_an_image(tmp_path):
    Image.fromarray(np.zeros((2, 2), dtype=np.uint8)).save(tmp_path / "a.png")
    code = (
        "import os, runpy, sys, time\n"
        "def fsync(number):\n    print('ready', flush=True)\n    time.sleep(600)\n"
        "os.fsync = fsync\n"
        "runpy.run_path(sys.argv.pop(1), run_name='__main__')\n"
    )
    command = [sys.executable, "-c", code, ROOT / "scripts/make_pgm", "a.png", "--output", "b.pgm"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=900)
    assert process.returncode == -signal.SIGTERM and os.listdir(tmp_path) == ["a.png"]
