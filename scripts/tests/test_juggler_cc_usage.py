"""juggler-cc and its programs under bad usage, failed writes and signals."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from juggler_cc_scene import APPS, EXAMPLES, PROGRAM, build, run_with, tool
from program_under_test import find_program, snapshot

# {command line: part of the message}; the exit code is always 2
BAD = {
    "": "expected a source",
    "none.c": "none.c: no such file",
    "a.cu": "not CUDA",
    "{lud} {heat}": "expected one source",
    "--none {lud}": "unrecognised option '--none'",
    "{lud} -o": "the required argument for option '--output' is missing",
    "{lud} -I": "-I: expected a value",
    "{lud} -o a -o b": "'--output' cannot be specified more than once",
    "{lud} --explain --explain": "'--explain' cannot be specified more than once",
    "{lud} --explain --emit out.cpp": "--emit: has no effect with --explain",
    "{lud} --emit out.cpp -o out": "--output: has no effect with --emit",
    "{lud} --emit out.cpp --backend host": "--backend: has no effect with --emit",
    "{lud} --dag nBlocks=4,bSize=4 --policy lf": "--policy: has no effect with --dag",
    "{lud} --region 1": "--region: goes with --dag",
    "--policy fifo {lud}": "--policy: expected",
    "--backend gpu {lud}": "--backend: expected one of host, cuda",
    "--dag nBlocks {lud}": "--dag: expected NAME=NUMBER",
    "--dag nBlocks=4,nBlocks=5 {lud}": "--dag: nBlocks is given twice",
    "--dag nBlocks=4e4e,bSize=4 {lud}": "--dag: expected NAME=NUMBER",
    "--dag nBlocks=4294967297,bSize=4 {lud}": "nBlocks=4294967297: expected a whole",
    "--dag nBlocks=4.5,bSize=4 {lud}": "nBlocks=4.5: expected a whole number",
    "--dag nBlocks=4 {lud}": "--dag: expected values for bSize",
    "--dag nBlocks=4,bSize=4,x=1 {lud}": "'x' is no variable",
    "--dag nBlocks=4,bSize=4 --region 2 {lud}": "--region: expected 1 to 1, got 2",
    "--dag nBlocks=4,bSize=4 --region 0 {lud}": "--region: expected",
    "--dag tiles=3000,steps=3000 {heat}": "task graph: more than 10000000 tasks",
    "--emit /none/out.cpp {lud}": '--emit: cannot write "/none/out.cpp"',
    "-o /none/out {lud}": '-o: cannot write "/none/out"',
    "--emit /dev/full {lud}": "--emit: expected a regular file",
    "-o pipe {lud}": "-o: expected a regular file",
    "--emit pipe {lud}": "--emit: expected a regular file",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_usage_is_refused_in_one_line(line, tmp_path):
    (tmp_path / "a.cu").write_text("")
    os.mkfifo(tmp_path / "pipe")
    words = line.format(lud=APPS / "lud.c", heat=EXAMPLES / "heat.c").split()
    done = tool(*words, cwd=tmp_path, code=2)
    assert BAD[line] in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cu", "pipe"]


@pytest.mark.parametrize("option", ["--emit", "-o"])
def test_an_input_is_never_replaced(option, tmp_path):
    source, link, other = (tmp_path / name for name in ("matmul.c", "link.o", "other.o"))
    source.write_bytes((EXAMPLES / "matmul.c").read_bytes())
    link.symlink_to(source)
    other.write_bytes(b"an object")
    before = snapshot(tmp_path)
    for output in (source, link, other):
        done = tool(source, other, option, output, cwd=tmp_path, code=2)
        assert f"{option}: expected another file than" in done.stderr
        assert snapshot(tmp_path) == before


@pytest.mark.parametrize("words", [["--emit", "out"], ["-o", "out"]])
def test_a_failed_write_keeps_the_old_file(words, tmp_path):
    """A limit on file sizes takes the place of a full disk."""
    (tmp_path / "out").write_text("old")
    done = subprocess.run(
        [find_program(PROGRAM), EXAMPLES / "matmul.c", *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "cannot write: " in done.stderr and "the generated source is C++" not in done.stderr
    assert (tmp_path / "out").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("words", [["--emit", "-"], ["--explain"], ["--help"]])
def test_lost_output_is_a_failure(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [find_program(PROGRAM), EXAMPLES / "matmul.c", *words],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=300,
        )  # fmt: skip
    assert done.returncode == 1
    assert "cannot write to standard output" in done.stderr


ENDLESS = """\
void f(int *a, long n)
{
    #pragma omp target parallel map(tofrom: a[0:4])
    #pragma omp single
    for (long i = 0; i < n; i++)
        if (i < 0) {
            #pragma omp task
            a[0] = 1;
        }
}
"""


def children_of(process):
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_folder_and_no_child(by, tmp_path):
    (tmp_path / "endless.c").write_text(ENDLESS)
    (tmp_path / "own").mkdir()
    running = subprocess.Popen(
        [find_program(PROGRAM), "--dag", "n=9e18", "endless.c", "-O0"],
        cwd=tmp_path, env=os.environ | {"TMPDIR": str(tmp_path / "own")},
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 300
        inspections = []
        while not inspections and running.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
            inspections = [
                child
                for child in children_of(running.pid)
                if Path(f"/proc/{child}/comm").read_text().strip() == "program"
            ]
        assert inspections
        running.send_signal(by)
        assert running.wait(300) == -by
    finally:
        running.kill()
    assert list((tmp_path / "own").iterdir()) == []
    assert not Path(f"/proc/{inspections[0]}").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["endless.c", "own"]


def test_options_of_other_compilers_are_taken(tmp_path):
    offload = ["-fopenmp", "-fopenmp-targets=nvptx64", "-foffload=nvptx-none"]
    options = [*offload, "-pipe", "-pedantic", "-O1"]
    done = tool(EXAMPLES / "matmul.c", *options, cwd=tmp_path, code=0)
    assert "jcc_" not in done.stderr, done.stderr
    assert (tmp_path / "a.out").exists()


def test_a_linker_error_does_not_blame_cpp(tmp_path):
    done = tool(EXAMPLES / "matmul.c", "-lnone_of_this_name", cwd=tmp_path, code=1)
    assert "the generated source is C++" not in done.stderr, done.stderr


# {program that cannot be translated: part of the message}
BROKEN = {
    "void f( {": "error: ",
    "int main(void) { return 0; }": "no region for Juggler here; looked for '#pragma omp target",
    "void f(int *a) {\n#pragma omp target parallel map(tofrom: a[0:2]\n{ }\n}": "error: ",
    "void f(int *a, int n, double m[n][n]) {\n#pragma omp target parallel map(tofrom: a[0:2])\n"
    "#pragma omp single\n{\n#pragma omp task\na[0] = 1;\n} }": "which C++ does not have",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_program_is_refused(text, tmp_path):
    (tmp_path / "broken.c").write_text(text + "\n")
    done = tool("broken.c", "--emit", "out.cpp", cwd=tmp_path, code=2)
    assert BROKEN[text] in done.stderr
    assert not (tmp_path / "out.cpp").exists()


def test_settings_and_ranges_are_checked_at_run_time(tmp_path):
    program = build(EXAMPLES / "heat.c", tmp_path)
    for settings, message in (
        ({"JUGGLER_BACKEND": "none"}, "none"),
        ({"JUGGLER_WORKERS": "x"}, "JUGGLER_WORKERS: expected a number"),
        ({"JUGGLER_THREADS": "5000"}, "expected 1 to 256"),
    ):
        done = run_with(program, [], tmp_path, **{"JUGGLER_BACKEND": "host"} | settings)
        assert done.returncode == 2, done.stderr
        assert "juggler: heat.c:26: " in done.stderr
        assert message in done.stderr


def test_trigraphs_are_refused_where_the_language_has_them(tmp_path):
    text = "void f(int *a) ??<\n#pragma omp target parallel map(tofrom: a[0:2])\n"
    text += "#pragma omp single\n{\n#pragma omp task\na[0] = 1;\n} }\n"
    (tmp_path / "old.c").write_text(text)
    done = tool("old.c", "-std=c99", "--emit", "out.cpp", cwd=tmp_path, code=2)
    assert "old.c:1:16: error: trigraph converted to '{' character" in done.stderr
    (tmp_path / "old.c").write_text(text.replace("??<", "{ // ??"))
    tool("old.c", "-std=c99", "--emit", "out.cpp", cwd=tmp_path, code=0)


def test_a_missing_function_of_another_c_file_is_explained(tmp_path):
    (tmp_path / "one.c").write_text(
        "void other(int *);\nint main(void) {\nint a[2] = {1, 2};\nother(a);\n"
        "#pragma omp target parallel map(tofrom: a)\n#pragma omp single\n{\n#pragma omp task\n"
        "a[0] = 1;\n}\n}\n"
    )
    done = tool("one.c", "-o", "one", cwd=tmp_path, code=1)
    assert "one.c: note: if a function of another C file is missing" in done.stderr
