"""Pointers that can only be checked when the translated program runs."""

import pytest

from juggler_cc_scene import build, run_with


def test_a_pointer_outside_all_maps_ends_the_program(tmp_path):
    source = tmp_path / "outside.c"
    source.write_text(
        "#include <stdlib.h>\nint main(void) {\nint *a = malloc(64), *b = malloc(64);\n"
        "#pragma omp target parallel map(tofrom: a[0:16])\n#pragma omp single\n{\n"
        "int *p = b;\n#pragma omp task firstprivate(p) depend(inout: p[0])\np[0] = 1;\n}\n"
        "return 0;\n}\n"
    )
    done = run_with(build(source, tmp_path), [], tmp_path, JUGGLER_BACKEND="host")
    assert done.returncode == 2
    assert "outside.c:4: a task's pointer 'p' points into no mapped array" in done.stderr


ALIASES = {
    "q": ("", "static double x[8]; double *a = x, *q = x + 3;", "*q"),
    "x": ("static double x[8];", "double *a = x + 2;", "x[5]"),
    "g": ("static double x[8], *g = x + 3;\nstatic int top(void) { return g[0] > 1; }",
          "double *a = x;", "top()"),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIASES)
def test_a_condition_on_values_that_tasks_may_change_ends_the_program(name, tmp_path):
    """The source does not show where these pointers lead, as they are set before the region."""
    outside, inside, condition = ALIASES[name]
    text = (
        f"{outside}\nint main(void) {{\n{inside}\n"
        "#pragma omp target parallel map(tofrom: a[0:6])\n#pragma omp single\n{\n"
        "#pragma omp task depend(inout: a[0:6])\na[3] = 2;\n#pragma omp taskwait\n"
        f"if ({condition} > 0) {{\n#pragma omp task depend(inout: a[0])\na[0] = 1;\n}}\n}}\n"
        "return 0;\n}\n"
    )
    source = tmp_path / "alias.c"
    source.write_text(text)
    done = run_with(build(source, tmp_path), [], tmp_path, JUGGLER_BACKEND="host")
    assert done.returncode == 2
    assert f"the region reads through '{name}', which points into the mapped 'a'" in done.stderr
    directive = "#pragma omp target"
    source.write_text(text.replace(directive, f"#pragma juggler eligible\n{directive}"))
    done = run_with(build(source, tmp_path), [], tmp_path, JUGGLER_BACKEND="host")
    assert done.returncode == 0, done.stderr
