"""What juggler-cc and its programs say of bad usage."""

import pytest

from juggler_cc_scene import APPS, EXAMPLES, build, run_with
from test_juggler_cc import tool

# Command lines, and what the message must hold; all exit with 2.
BAD = {
    "": "expected a source",
    "none.c": "none.c: no such file",
    "a.cu": "not CUDA",
    "{lud} {heat}": "expected one source",
    "--none {lud}": "unknown option --none",
    "-o": "-o: expected a value",
    "--policy fifo {lud}": "--policy: expected lrr, grr, lf, lts or lts-slots",
    "--backend gpu {lud}": "--backend: expected host or cuda",
    "--dag nBlocks {lud}": "--dag: expected NAME=NUMBER",
    "--dag nBlocks=4e4e,bSize=4 {lud}": "--dag: expected NAME=NUMBER",
    "--dag nBlocks=4294967297,bSize=4 {lud}": "nBlocks=4294967297: expected a whole",
    "--dag nBlocks=4.5,bSize=4 {lud}": "nBlocks=4.5: expected a whole number",
    "--dag nBlocks=4 {lud}": "--dag: expected values for bSize",
    "--dag nBlocks=4,bSize=4,x=1 {lud}": "'x' is no variable",
    "--dag nBlocks=4,bSize=4 --region 2 {lud}": "--region: expected 1 to 1, got 2",
    "--region 0 {lud}": "--region: expected a number of at least 1",
    "--emit /none/out.cpp {lud}": "cannot write /none/out.cpp",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_usage_is_said_in_a_line(line, tmp_path):
    (tmp_path / "a.cu").write_text("")
    words = line.format(lud=APPS / "lud.c", heat=EXAMPLES / "heat.c").split()
    done = tool(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert BAD[line] in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cu"]


def test_options_of_openmp_and_offload_are_taken(tmp_path):
    source = EXAMPLES / "matmul.c"
    done = tool(
        source, "-fopenmp", "-fopenmp-targets=nvptx64", "-foffload=nvptx-none", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.out").exists()


def test_options_of_the_compiler_alone_are_taken(tmp_path):
    done = tool(EXAMPLES / "matmul.c", "-pipe", "-pedantic", "-O1", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "jcc_" not in done.stderr, done.stderr
    assert (tmp_path / "out").exists()


def test_a_program_that_cannot_be_linked_is_no_matter_of_cpp(tmp_path):
    for words in (["-o", "/none/out"], ["-lnone_of_this_name"]):
        done = tool(EXAMPLES / "matmul.c", *words, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        assert "the generated source is C++" not in done.stderr, done.stderr


# Programs that cannot be translated at all.
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
    done = tool("broken.c", "--emit", "out.cpp", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
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
    done = tool("old.c", "-std=c99", "--emit", "out.cpp", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "old.c:1:16: error: trigraph converted to '{' character" in done.stderr
    (tmp_path / "old.c").write_text(text.replace("??<", "{ // ??"))
    done = tool("old.c", "-std=c99", "--emit", "out.cpp", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_function_of_another_c_file_that_is_missing_is_explained(tmp_path):
    text = "void other(int *);\n" + BROKEN_IN_LINKING
    (tmp_path / "one.c").write_text(text)
    done = tool("one.c", "-o", "one", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "one.c: note: if a function of another C file is missing" in done.stderr


BROKEN_IN_LINKING = """\
int main(void)
{
    int a[2] = {1, 2};
    other(a);
    #pragma omp target parallel map(tofrom: a)
    #pragma omp single
    {
        #pragma omp task
        a[0] = 1;
    }
    return a[0];
}
"""
