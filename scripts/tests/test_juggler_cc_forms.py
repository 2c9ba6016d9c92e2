"""juggler-cc keeps the meaning of OpenMP; what it does not support it refuses at its place."""

import pytest

from juggler_cc_forms import ACCEPTED, HEAD, REFUSED, REFUSED_CPP, TAIL, WHOLE
from juggler_cc_refused import NOT_SUGGESTED, SUGGESTED
from juggler_cc_scene import PROGRAM, run_both, same_numbers, tool
from program_under_test import find_program, run_program

MAIN = """
int main(void)
{
    double *a = malloc(N * sizeof *a);
%s    free(a);
    return 0;
}
"""
CALL = """\
    for (int i = 0; i < N; i++) a[i] = i * 7 %% 11 + 0.5;
    take_%s(a, N);
    printf("%s");
    for (int i = 0; i < N; i++) printf(" %%.15g", a[i]);
    printf("\\n");
"""


def function(name, text):
    return f"static void take_{name}(double *a, int n)\n{{\n{text}}}\n"


def program_of(forms):
    """One program with one region per form."""
    functions = "".join(function(name, text) for name, text in forms.items())
    calls = "".join(CALL % (name, name) for name in forms)
    return HEAD + functions + MAIN % calls + TAIL


def test_accepted_forms_compute_what_openmp_computes(tmp_path):
    source = tmp_path / "forms.c"
    source.write_text(program_of(ACCEPTED))
    outcome = run_both(source, tmp_path, level="-O0")
    got, expected = outcome.got.splitlines(), outcome.expected.splitlines()
    assert len(got) == len(expected) == len(ACCEPTED)
    wrong = [a for a, b in zip(got, expected, strict=True) if not same_numbers(a, b)]
    assert not wrong
    assert len(outcome.reports) == len(ACCEPTED)


@pytest.mark.parametrize("name", WHOLE)
def test_whole_programs_compute_what_the_serial_program_computes(name, tmp_path):
    source = tmp_path / name
    source.write_text(WHOLE[name])
    outcome = run_both(source, tmp_path, tasks_in_oracle=False)
    assert same_numbers(outcome.got, outcome.expected), (outcome.got, outcome.expected)
    assert outcome.reports


def check_refused(path, text, message):
    """The @ marks the line and column of the error."""
    before, _, after = text.partition("@")
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    path.write_text(before + after)
    done = tool(path, "--emit", path.with_suffix(".out"), cwd=path.parent, code=2)
    first = next(row for row in done.stderr.splitlines() if ": error: " in row)
    assert f"{path.name}:{line}:{column}: error: " in first, done.stderr
    assert message in first, done.stderr
    assert "^" in done.stderr
    assert not path.with_suffix(".out").exists()


@pytest.mark.parametrize("message", REFUSED)
def test_a_refused_form_is_named_with_place_and_reason(message, tmp_path):
    text = function("it", REFUSED[message])
    check_refused(tmp_path / "form.c", HEAD + text, message)


@pytest.mark.parametrize("message", REFUSED_CPP)
def test_a_refused_form_of_cpp_is_named_with_place_and_reason(message, tmp_path):
    check_refused(tmp_path / "form.cpp", REFUSED_CPP[message], message)


def test_lines_macros_and_headers_are_the_users(tmp_path):
    """The macros of the command line stay out of the runtime's headers."""
    (tmp_path / "it.h").write_text(
        "#include <stddef.h>\nstatic inline int given(const int *p) { return p != NULL; }\n"
        "static inline int same(void *p, double *q) { return NULL != p && p == q; }\n"
    )
    shown = '    printf("%d %d %d %s\\n", given(0), same(a, a), __LINE__, __FILE__);\n    return 0;'
    text = program_of({"plain": ACCEPTED["plain"]}).replace("    return 0;", shown)
    source = tmp_path / "null.c"
    source.write_text('#include "it.h"\n' + text)
    outcome = run_both(source, tmp_path, flags=("-Dlist=3", "-Dsize=n", "-DT=float"))
    assert same_numbers(outcome.got, outcome.expected), (outcome.got, outcome.expected)
    assert outcome.got.splitlines()[-1].startswith("0 1 ")


def test_a_region_in_a_header_is_refused_there(tmp_path):
    header = HEAD + function("it", ACCEPTED["plain"])
    (tmp_path / "it.h").write_text(header)
    (tmp_path / "form.c").write_text('#include "it.h"\nvoid f(double *a) { take_it(a, N); }\n')
    done = tool("form.c", "--emit", "form.cpp", cwd=tmp_path, code=2)
    line = header.splitlines().index("    #pragma omp target parallel map(tofrom: a[0:n])") + 1
    assert f"it.h:{line}:5: error: a region in a header is not supported" in done.stderr


def plain_region(loop, clauses, task="mark(a, 1);"):
    task = f"        #pragma omp task {clauses}\n        {task}\n"
    return f"    #pragma omp parallel\n    #pragma omp single\n    {loop} {{\n{task}    }}\n"


@pytest.mark.parametrize("items", SUGGESTED)
def test_a_plain_region_is_refused_with_the_directive_that_would_do(items, tmp_path):
    region = plain_region(*SUGGESTED[items])
    said = refusal_of(function("it", region), tmp_path)
    directive = f"#pragma juggler target map(tofrom: {items.strip()})"
    assert f": {directive}\n" in said
    assert ("with the number of elements that tasks use for LENGTH" in said) == ("LENGTH" in items)
    if "LENGTH" in items:
        return
    text = HEAD + function("it", f"    {directive}\n{region}")
    (tmp_path / "plain.c").write_text(text)
    tool("plain.c", "--emit", "out.cpp", cwd=tmp_path, code=0)


# (map clause, body of a task): part of the warning, or "" if none is expected
MAPPED = {
    ("to: a[0:n]", "a[i] = i;"): "a task writes 'a', which is mapped 'to'",
    ("to: a[0:n]", "mark(a + i, 1);"): "a task writes 'a', which is mapped 'to'",
    ("to: grid", "grid[1][2]++;"): "a task writes 'grid', which is mapped 'to'",
    ("to: grid", "a[i] = grid[1][2];"): "",
    ("from: a[0:n]", "a[i] = i;"): "",
    ("from: a[0:n]", "a[n - 1 - i] = i;"): "",
    ("from: a[0:n]", "filled(a + i, n);"): "",
    ("from: a[0:n + 1]", "a[i] = i;"): "tasks write only a part of 'a', which is mapped 'from'",
    ("from: a[0:n]", "a[i + 1] = i;"): "tasks write only a part of 'a', which is mapped 'from'",
    ("from: grid", "grid[i / n][0] = 1;"): "",
    ("from: grid", "grid[2][0] = 1;"): "tasks write only a part of 'grid'",
    ("from: grid", "a[i] = grid[2][0];"): "tasks write only a part of 'grid'",
}


@pytest.mark.parametrize(("maps", "task"), MAPPED)
def test_a_map_clause_that_loses_results_is_warned_of(maps, task, tmp_path):
    all_maps = f"map({maps})" + ("" if " a" in maps else " map(tofrom: a[0:n])")
    region = f"    #pragma juggler target {all_maps}\n" + plain_region(
        "for (int i = 0; i < n; i++)", "", task
    )
    (tmp_path / "form.c").write_text(HEAD + function("it", region))
    done = tool("form.c", "--emit", "form.cpp", cwd=tmp_path, code=0)
    warned = [row for row in done.stderr.splitlines() if "which is mapped" in row]
    wanted = MAPPED[maps, task]
    assert [wanted in row for row in warned] == [True] * bool(wanted), done.stderr


@pytest.mark.parametrize("obstacle", NOT_SUGGESTED)
def test_no_directive_is_suggested_that_would_be_refused(obstacle, tmp_path):
    declared, depends = NOT_SUGGESTED[obstacle]
    region = plain_region("if (n)", f"depend({depends})")
    said = refusal_of(function("it", f"    {declared}\n{region}"), tmp_path)
    assert f"which arrays they use; {obstacle}" in said
    assert "juggler target" not in said


def refusal_of(text, folder):
    (folder / "plain.c").write_text(HEAD + text)
    done = tool("plain.c", "--emit", "out.cpp", cwd=folder, code=2)
    return done.stderr


IN_REGION = "#pragma omp parallel\n#pragma omp single\n{\n%s}\n}\n"
# {suggested map clause: functions with a region that has none}
SUGGESTED_BY_USES = {
    # A pointer of the region leads into `a`.
    " map(tofrom: a[0:LENGTH])": "void take(double *a, int n)\n{\n"
    + IN_REGION
    % "for (int i = 0; i < n; i++) {\ndouble *p = a + i;\n#pragma omp task depend(inout: p[0:2])\n"
    "mark(a, 1);\n}\n",
    # No depend clauses.
    " map(tofrom: a[0:2], b[0:2], grid)": "void take(double *a, double *b)\n{\n"
    + IN_REGION % "#pragma omp task\n{ a[1] = b[1]; grid[0][0] = 1; }\n",
    # Numbers that tasks set, and arrays that another function gets.
    " map(tofrom: all, n, table, b[0:LENGTH])": "void makes(double *p, double *q, int n)\n{\n"
    "#pragma omp task\np[0] = q[n];\n}\nvoid take(double *b, int n)\n{\nint all = 0, own = 1;\n"
    + IN_REGION
    % "#pragma omp task firstprivate(own)\n{ all = own; own = 2; }\n#pragma omp task\nn++;\n"
    "makes(table, b + 1, n);\n",
    # No array is known.
    "": "void makes(void)\n{\n#pragma omp task\ngrid[0][0] = 1;\n}\nvoid take(void)\n{\n"
    + IN_REGION % "makes();\n",
}


@pytest.mark.parametrize("maps", SUGGESTED_BY_USES)
def test_maps_are_suggested_by_what_tasks_use(maps, tmp_path):
    said = refusal_of(SUGGESTED_BY_USES[maps], tmp_path)
    assert f": #pragma juggler target{maps}\n" in said


def test_a_task_outside_of_regions_is_reported(tmp_path):
    source = tmp_path / "loose.c"
    loose = "    #pragma omp task\n    a[1] = 2;\n"
    source.write_text(HEAD + function("it", loose + ACCEPTED["plain"]))
    done = tool(source, "--emit", "out.cpp", cwd=tmp_path, code=0)
    line = HEAD.count("\n") + 3
    assert f"loose.c:{line}:5: warning: this task is in no region" in done.stderr


def test_messages_of_the_compiler_name_the_users_lines(tmp_path):
    """Errors of the C++ compiler name the place in the user's file."""
    text = HEAD + function("it", ACCEPTED["plain"] + "    int (*f)() = raised;\n    (void)f;\n")
    source = tmp_path / "other.c"
    source.write_text(text)
    done = tool(source, "-o", "other", cwd=tmp_path, code=1)
    line = text[: text.index("= raised")].count("\n") + 1
    assert f"other.c:{line}:18: error: invalid conversion from" in done.stderr
    assert "other.c: note: the generated source is C++" in done.stderr


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["    ", "\t"])
def test_a_message_shows_the_line_that_the_user_wrote(indent, ends, tmp_path):
    directive = "#pragma juggler target map(tofrom: a)"
    text = HEAD + function(
        "it", f"{indent}{directive}\n" + plain_region("if (n)", "depend(inout: a[0:2])")
    )
    (tmp_path / "own.c").write_bytes(text.replace("\n", ends).encode())
    done = run_program(find_program(PROGRAM), "own.c", "--emit", "out.cpp", cwd=tmp_path)
    assert done.returncode == 2 and "is mapped without a length" in done.stderr, done.stderr
    shown = done.stderr.splitlines()
    at = shown.index(indent.expandtabs() + directive)
    assert shown[at + 1].index("^") == shown[at].index("a)")
    assert "#pragma omp  " not in done.stderr


def test_errors_of_clang_come_with_advice(tmp_path):
    """Clang itself refuses a barrier in a task; juggler-cc adds advice."""
    text = ACCEPTED["constant"].replace("a[i] += eighth", "\n#pragma omp barrier\na[i] += eighth")
    (tmp_path / "form.c").write_text(HEAD + function("it", text))
    done = tool("form.c", "--emit", "form.cpp", cwd=tmp_path, code=2)
    line = (HEAD + function("it", text)).split("#pragma omp barrier")[0].count("\n") + 1
    assert f"form.c:{line}:1: error: region cannot be closely nested" in done.stderr
    assert f"form.c:{line}:1: note: leave it out: nothing waits within a task" in done.stderr


def test_code_of_another_file_is_refused_there(tmp_path):
    (tmp_path / "body.inc").write_text("a[i] += 1;\n")
    text = ACCEPTED["constant"].replace("a[i] += eighth * 2;", '\n#include "body.inc"\n')
    (tmp_path / "form.c").write_text(HEAD + function("it", text))
    done = tool("form.c", "--emit", "form.cpp", cwd=tmp_path, code=2)
    assert "body.inc:1:1: error: this code is in another file" in done.stderr
