"""Forms that juggler-cc refuses. The key is part of the message; an @ marks its place."""

from juggler_cc_parts import ON, ONE_TASK, SINGLE, after_task, body, in_region

REFUSED = {
    "clause 'if' of 'target parallel'": f"{ON} @if(n > 4)\n{ONE_TASK}",
    "clause 'copyprivate'": f"int s;\n{ON} private(s)\n#pragma omp single @copyprivate(s)\n{{\n"
    "#pragma omp task\na[0] = 1;\n}\n",
    "map modifiers": f"#pragma omp target parallel @map(always, tofrom: a[0:n])\n{ONE_TASK}",
    "multiple array elements associated with the same variable": "#pragma omp target parallel "
    f"map(to: a[0:4]) map(from: @a[4:4])\n{SINGLE}a[4] = a[0];\n}}\n",
    "mapped without a length": f"#pragma omp target parallel map(tofrom: @a)\n{ONE_TASK}",
    "pointer to pointers, which cannot be mapped": "double **rows = malloc(n * sizeof *rows);\n"
    f"#pragma omp target parallel map(tofrom: @rows[0:n])\n{SINGLE}rows[0][0] = 1;\n}}\n",
    "has a length that is not a constant; use a pointer": "double own[n];\n"
    f"#pragma omp target parallel map(tofrom: @own)\n{SINGLE}own[0] = 1;\n}}\n",
    "no map clause names it": "double *b = a;\n@#pragma omp target parallel\n#pragma omp single\n"
    "{\n#pragma omp task shared(b)\nb[0] = 1;\n}\n",
    "pointer 'b' is used in a task": f"double *b = a;\n{ON}\n#pragma omp single\n{{\n"
    "@#pragma omp task firstprivate(b)\nb[0] = 1;\n}\n",
    "every thread would make this task; put it in 'single'": f"{ON}\n{{\n@#pragma omp task\n"
    "a[0] = 1;\n}\n",
    "every thread of the team executes this": f"{ON}\n{{\n@a[0] = 1;\n{ONE_TASK}}}\n",
    "a second 'single'": f"{ON}\n{{\n{ONE_TASK}@#pragma omp single\n{{\n#pragma omp task\n"
    "a[1] = 1;\n}\n}\n",
    "directive 'for' is not supported in a region": f"{ON}\n{{\n{ONE_TASK}@#pragma omp for\n"
    "for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
    "directive 'taskloop'": after_task(
        "@#pragma omp taskloop\nfor (int i = 0; i < n; i++) a[i] = 1;"
    ),
    "directive 'task' is not supported in a task": body("@#pragma omp task\na[i] += 1;"),
    "directive 'parallel' is not supported in a task": body("@#pragma omp parallel\na[i] = 1;"),
    "in a parallel loop of a task": body(
        "#pragma omp parallel for\nfor (int k = 0; k < 6; k++)\n@#pragma omp parallel for\n"
        "for (int m = 0; m < 2; m++) a[i + k] += 1;"
    ),
    "'step' has a parallel loop and is called in one": body(
        "#pragma omp parallel for\nfor (int k = 0; k < 1; k++) @step(a + i, 6, 1);"
    ),
    "clause 'lastprivate'": body(
        "int last;\n#pragma omp parallel for @lastprivate(last)\n"
        "for (int k = 0; k < 6; k++) last = k;\na[i] = last;"
    ),
    "reduction 'operator*'": body(
        "double all = 1;\n#pragma omp parallel for @reduction(*: all)\n"
        "for (int k = 0; k < 6; k++) all *= a[i + k];\na[i] = all;"
    ),
    "iterations write 'found'": body(
        "int found = 0;\n@#pragma omp parallel for\n"
        "for (int k = 0; k < 6; k++) if (a[i + k] > 3) found = 1;\na[i] = found;"
    ),
    "this both stores to memory and sets": body(
        "double x = 0;\nstep(a + i, 6, 1);\n@x += a[i]++;\na[i] = x;"
    ),
    "and sets a local variable, in code with a parallel loop; assign the call's value": body(
        "step(a + i, 6, 1);\n@double x = bumped(a + i);\na[i] = x;"
    ),
    "'s' of the region, shared with other tasks, and tasks write it; declare": in_region(
        "double s = 0;\nfor (int i = 0; i < n; i++) {\n"
        "#pragma omp task depend(inout: s) shared(s)\n@s += a[i];\n}"
    ),
    "tasks write it; declare it before the region, and write map(tofrom: s)": in_region(
        "double s = 0;\n#pragma omp task depend(in: s) shared(s)\na[0] = @s;\n"
        "#pragma omp task depend(out: s) shared(s)\ns = a[1];"
    ),
    "shared with other tasks; write firstprivate(s)": in_region(
        "double s = 2;\n#pragma omp task depend(inout: a[0]) shared(s)\na[0] = @s;\n"
        "#pragma omp task firstprivate(s)\n{ s += 1; a[1] = s; }"
    ),
    "shared with other tasks; declare it before the region": in_region(
        "double s[2] = {1, 2};\n#pragma omp task depend(inout: a[0]) shared(s)\na[0] = @s[1];"
    ),
    "a task may set a pointer that it declares": in_region(
        "double *p = a;\n#pragma omp task depend(inout: p) shared(p)\n@p++;"
    ),
    "the address of 'own' is used": body("double own[6] = {0};\n@step(own, 6, 1);\na[i] = own[2];"),
    "a static variable in a task": body("static int @count = 0;\na[i] += count++;"),
    "is not a constant is not supported in a task": body(
        "double @own[n];\nown[0] = 1;\na[i] += own[0];"
    ),
    "is not supported in a task, nor a pointer to one; use a pointer to elements": body(
        "double (*@rows)[n] = (double (*)[n])a;\nrows[0][i] += 1;"
    ),
    "nor a pointer to one; use": body("(@(double (*)[n])a)[0][i] += 1;"),
    "nor a pointer to one": body("typedef double @row[n];\n(*(row *)a)[i] += 1;"),
    "'puts' of the C library is not supported": body('                @puts("x");\na[i] = 1;'),
    "a call through a pointer": body("double (*f)(double) = sqrt;\na[i] = @f(a[i]);"),
    "'own' of the region, shared": in_region(
        "double own = 0;\n#pragma omp task shared(own)\na[0] = @own;"
    ),
    "array 'own' would be copied for each task": in_region(
        "double own[4] = {1};\n@#pragma omp task firstprivate(own)\na[0] = own[1];"
    ),
    "a task writes 'factor', which is not mapped": body("@factor = a[i];"),
    "'n' changes between tasks that share it": "@#pragma omp target parallel map(tofrom: a[0:N])\n"
    "#pragma omp single\nfor (n = 0; n < 4; n++) {\n#pragma omp task shared(n)\na[n] = n;\n}\n",
    "this condition comes from 'a'": after_task("if (@a[0] > 1) {\n#pragma omp task\na[1] = 1;\n}"),
    "this loop's end comes from 'count'": after_task(
        "int count = (int)a[0];\nfor (int i = 0; @i < count; i++) {\n#pragma omp task\na[i] = 1;\n}"
    ),
    "this list item comes from 'at'": after_task(
        "int at = (int)a[0];\n#pragma omp task depend(inout: a[@at])\na[1] = 1;"
    ),
    "the task's own 'x' comes from 'x'": after_task(
        "double x = a[0];\n@#pragma omp task firstprivate(x)\na[1] = x;"
    ),
    "comes from 'p', which tasks compute": after_task(
        "double *p = a + 1;\nwhile (@*p > 1) {\n#pragma omp task\na[1] = 1;\n}"
    ),
    "this condition comes from 'p'": after_task(
        "if (@weighed(a, 1) > 1) {\n#pragma omp task\na[1] = 1;\n}"
    ),
    "type 'cell' of 'own' is declared in a function": "struct cell { double v; } own = {1};\n"
    + in_region("#pragma omp task\na[0] = @own.v;"),
    "'juggler eligible' has no region on the next line": "@    #pragma juggler eligible\n"
    "a[1] = 2;\n" + in_region("#pragma omp task\na[0] = 1;"),
    "'juggler target' makes no region here": "@    #pragma juggler target map(tofrom: a[0:n])\n"
    "a[1] = 2;\n" + in_region("#pragma omp task\na[0] = 1;"),
    "tasks use this 'factor' and another one": "double @factor = 3;\n"
    + body("a[i] += weighed(a, i) * factor;"),
    "a task sets pointer 'a', which tasks share": body("@a += 1;"),
    "'late' is declared behind the region": "double more(double);\n"
    + body("a[i] = more(2);")
    + "}\nenum { late = 3 };\ndouble more(double x)\n{\nreturn x * @late;\n",
    "this stores to memory between tasks": after_task("@a[0] = 2;"),
    "'printf' has effects and is called": after_task('        @printf("made\\n");'),
    "'mark' has effects and is called": after_task("@mark(a, 2);"),
    "this 'parallel' region makes tasks, but no map clause says which": "@#pragma omp parallel\n"
    f"{ONE_TASK}",
    "unknown directive of juggler 'map'": f"#pragma @juggler map(a)\n{ON}\n{ONE_TASK}",
    "a directive comes from a macro or _Pragma": in_region(
        '        @_Pragma("omp task depend(inout: a[0])") a[0] = 1;'
    ),
    "the size of array 'table'": body("a[i] += @sizeof table / 8;"),
    "is mapped and also copied for each task": "double sum = 0;\n"
    "#pragma omp target parallel map(tofrom: sum, a[0:n])\n#pragma omp single\n{\n"
    "@#pragma omp task firstprivate(sum)\na[0] = sum;\n}\n",
    "'n' is set in the region, which uses a copy": "@#pragma juggler target map(tofrom: a[0:N])\n"
    "#pragma omp parallel\n#pragma omp single\nfor (n = 0; n < 4; n++) {\n"
    "#pragma omp task firstprivate(n)\na[n] = n;\n}\n",
    "holds a pointer, which is invalid": "struct part { double *of; } own = {a};\n"
    "@#pragma omp target parallel map(tofrom: a[0:n])\n#pragma omp single\n{\n"
    "#pragma omp task shared(own)\nown.of[0] = 1;\n}\n",
    "'parts' holds pointers": "struct part { double *of; } parts[2] = {{a}, {a}};\n"
    f"#pragma omp target parallel map(tofrom: @parts)\n{SINGLE}parts[0].of[0] = 1;\n}}\n",
    "a parallel loop in a 'switch'": body(
        "@switch (i) { case 0: step(a, 3, 1); break; default: break; }"
    ),
    "comes from a macro; write it out": body("@STEP(a + i);"),
    "only the first dimension of a mapped section": "#pragma omp target parallel "
    f"map(tofrom: @grid[0:1][1:2])\n{SINGLE}grid[0][1] = 1;\n}}\n(void)a;\n",
}

# Maps that juggler-cc suggests for a plain `parallel`: loops, a task's clauses, its body.
SUGGESTED = {
    "a[0:n]": ("for (int i = 0; i < n; i++)", "depend(inout: a[i])", "a[i] += 1;"),
    "a[0:n + 2]": ("for (int i = 1; i <= n; i++)", "depend(in: a[i])", "a[i - 1] = a[i + 1];"),
    "a[0:n * n]": (
        "for (int i = n - 1; i >= 0; i--)",
        "depend(inout: a[i])",
        "for (int j = 0; j <= i; j++) a[i * n + j] += a[j * n + i];",
    ),
    "a[0:24]": (
        "for (int i = 0; i < N; i += 4)",
        "depend(inout: a[i])",
        "for (int k = 0; k < 4; k++) mark(&a[i + k], 1);",
    ),
    "a[0:24] ": ("for (int i = 0; i < 4; i++)", "depend(inout: a[i])", "step(a + 6 * i, 6, 1);"),
    "grid, a[0:1]": (
        "for (int i = 0; i < 4; i++)",
        "depend(in: grid[i]) depend(inout: *a)",
        "*a += grid[i][1];",
    ),
    # Unknown lengths: a tile named by its first element, steps past the end, unknown indices.
    "a[0:LENGTH]": (
        "for (int i = 0; i < n; i += rounds)",
        "depend(inout: a[i])",
        "for (int j = i; j < i + rounds && j < n; j++) a[j] += 1;",
    ),
    "a[0:LENGTH] ": ("for (int i = 0; i < n; i += 5)", "depend(inout: a[i:5])", "a[i + 4] = 1;"),
    "a[0:LENGTH]  ": ("for (int i = 0; i < n; i++)", "depend(inout: a[i])", "a[i * i % n] = 1;"),
    "a[0:LENGTH]   ": ("for (int i = 0; i < n; i++)", "depend(inout: a[i])", "a[i - 1] = 1;"),
    "a[0:LENGTH]    ": ("for (int i = 0; i < n; i++)", "depend(inout: a[i])", "filled(&a[i], 6);"),
    "a[0:LENGTH]     ": (
        "for (int i = 0; i < n; i++)",
        "depend(inout: a[i])",
        "{ double *p = a; p[n + i] = 1; }",
    ),
    "a[0:LENGTH]      ": (
        "for (int i = 0; i < n; i++)",
        "depend(inout: a[i])",
        "{ a[i] = 1; i += 7; }",
    ),
    "a[0:LENGTH]       ": (
        "for (int i = 0; i < n; i++) for (int k = 0; k < rounds; k++)",
        "depend(inout: a[i])",
        "{ a[i] = 1; a[k] = 1; }",
    ),
}

# Arrays that cannot be mapped: the reason, a declaration and a depend clause.
NOT_SUGGESTED = {
    "'rows' is a pointer to pointers": ("double **rows = malloc(8);", "inout: rows[0][0:4]"),
    "'own' has a length that is not a constant": ("double own[n];", "inout: own[0]"),
    "'parts' holds pointers": ("struct { double *of; } parts[2];", "inout: parts[1]"),
}
