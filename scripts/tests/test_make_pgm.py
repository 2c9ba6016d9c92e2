"""scripts/make_pgm converts pictures to grey images and refuses other files."""

import numpy as np
import pytest
from PIL import Image


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
