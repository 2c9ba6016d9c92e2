"""The command line: what list shows, what is wrong usage, and finding gridloom-matrix."""

import base64
import json
import os
import shutil

import pytest

from datasets_scene import noise
from gridloom_datasets.errors import FetchError
from gridloom_datasets.matrix_program import find_program
from program_under_test import write_program


def statuses(scene, capsys, *arguments):
    assert scene.run("list", *arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:6] == ["name", "group", "n", "entries", "sets", "status"]
    return {line.split()[0]: line.split()[5] for line in lines[1:]}


def test_list_tells_how_far_each_matrix_has_come(scene, capsys):
    for name in "abcd":
        scene.add(name, extra=[("x/x", noise(100_000))] if name == "d" else ())
    assert set(statuses(scene, capsys).values()) == {"missing", "generated"}
    assert not scene.data.exists()  # looking changes nothing
    scene.put_local("b", 4)
    scene.run("fetch", "a", "c")
    (scene.data / "csr/c.h5").unlink()
    scene.server.cuts = [50_000] + [0] * 9
    assert scene.run("fetch", "d") == 1
    capsys.readouterr()
    assert statuses(scene, capsys) == {
        "A3": "generated", "a": "ready", "b": "local", "c": "downloaded", "d": "partial",
    }  # fmt: skip
    assert list(statuses(scene, capsys, "--set", "jacobi")) == ["A3"]


def test_list_for_programs(scene, capsys):
    scene.add("a").run("fetch", "a")
    capsys.readouterr()
    assert scene.run("list", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["data_dir"] == str(scene.data)
    made, a = shown["matrices"]
    assert (made["name"], made["status"], made["csr_bytes"]) == ("A3", "generated", None)
    assert (a["n"], a["entries"], a["status"]) == (4, 10, "ready")
    assert a["csr_bytes"] == (scene.data / "csr/a.h5").stat().st_size
    assert a["download_bytes"] == len(scene.server.files[scene.path("a")])


WRONG = [
    (["fetch"], "wants names, --set NAME or --all"),
    (["fetch", "aa"], "unknown matrix 'aa'"),
    (["fetch", "--set", "qr"], "--set"),
    (["fetch", "--al"], "--al"),
    (["fetch", "a", "--mirror", "ftp://x"], "--mirror ftp://x"),
    (["fetch", "a", "--mirror", "mirror.org"], "--mirror mirror.org"),
    (["fetch", "a", "--mirror", "http://[::1"], "--mirror http://[::1"),
    (["fetch", "a", "--mirror", "http://h:99999"], "--mirror http://h:99999"),
    (["fetch", "a", "--mirror", "ftp://me:secret@h/"], "--mirror ftp://h/: expected"),
    (["fetch", "a", "--mirror", "http://me:se/cret@h"], "--mirror http://h: expected"),
    (["fetch", "a", "--data-dir", "~nosuchuser/x"], "data folder ~nosuchuser/x: "),
    (["fetch", "a\nb\x1b[31m\u2028"], "unknown matrix 'a\\nb\\x1b[31m\\u2028'"),
    (["fetch", "\udcff"], "unknown matrix '\\udcff'"),
    (["list", "a"], "a"),
    (["steal"], "steal"),
    ([], "command"),
]


def test_wrong_usage_is_one_line_and_does_nothing(scene, capsys):
    scene.add("a")
    for arguments, word in WRONG:
        assert scene.run(*arguments) == 2, arguments
        text = capsys.readouterr().err
        assert text.startswith("datasets: ") and text.count("\n") == 1 and word in text, arguments
        assert scene.server.requests == [] and not scene.data.exists(), arguments


def test_a_mirror_may_be_given_and_have_a_path(scene, monkeypatch):
    scene.add("a")
    scene.server.files["/deep" + scene.path("a")] = scene.server.files.pop(scene.path("a"))
    monkeypatch.delenv("GRIDLOOM_MATRIX_MIRROR")
    assert scene.run("fetch", "a", "--mirror", f"{scene.server.url}/deep/") == 0


def test_a_password_of_the_mirror_is_used_and_neither_stored_nor_shown(scene, capsys):
    scene.add("a").add("b")
    seen = []
    scene.server.look = lambda handler: seen.append(handler.headers["Authorization"])
    scene.server.cuts = [10**6, 100] + [0] * 9
    mirror = scene.server.url.replace("http://", "http://me:se%40cret@")
    assert scene.run("fetch", "a", "b", "--mirror", mirror) == 1
    assert set(seen) == {"Basic " + base64.b64encode(b"me:se@cret").decode()}
    assert (scene.data / "downloads/b.tar.gz.part.json").is_file()
    texts = [path.read_bytes() for path in scene.data.rglob("*") if path.is_file()]
    texts += [text.encode() for text in capsys.readouterr()]
    assert not any(b"cret" in text for text in texts)


def test_a_missing_program_is_reported_before_the_download(scene, capsys, monkeypatch):
    scene.add("a")
    monkeypatch.setenv("PATH", str(scene.data))
    monkeypatch.delenv("GRIDLOOM_BIN_DIR")
    monkeypatch.setattr(find_program, "__defaults__", (scene.data,))
    assert scene.run("fetch", "a") == 1
    text = capsys.readouterr().err
    assert "cmake --build --preset host --target gridloom-matrix" in text
    assert text.count("\n") == 1 and scene.server.requests == []


def test_the_program_is_looked_for_in_order(tmp_path, monkeypatch):
    places = ["bin", "build/new/bin", "build/old/bin", "dist/bin", "path"]
    for age, place in enumerate(places):
        program = tmp_path / place / "gridloom-matrix"
        write_program(program, "#!/bin/sh\n")
        os.utime(program, (1e9 - age, 1e9 - age))
    monkeypatch.setenv("GRIDLOOM_BIN_DIR", str(tmp_path / "bin"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    (tmp_path / "bin/gridloom-matrix").rename(tmp_path / "bin/another")
    with pytest.raises(FetchError, match="GRIDLOOM_BIN_DIR is .* there is no program"):
        find_program(tmp_path)  # does not look in other folders
    (tmp_path / "bin/another").rename(tmp_path / "bin/gridloom-matrix")
    assert find_program(tmp_path) == tmp_path / "bin/gridloom-matrix"
    monkeypatch.delenv("GRIDLOOM_BIN_DIR")
    for place in places[1:]:
        assert find_program(tmp_path) == tmp_path / place / "gridloom-matrix"
        shutil.rmtree(tmp_path / place)
    with pytest.raises(FetchError, match="not built"):
        find_program(tmp_path)
