"""Tasks that juggler-cc translates, with their loops."""

from juggler_cc_parts import CHAIN, body, in_region

ACCEPTED = {
    "plain": in_region(CHAIN.format("")),
    "hints": in_region(
        CHAIN.format("untied mergeable priority(i) final(i > 6) default(shared) firstprivate(i)")
    ),
    "if_false": in_region(CHAIN.format("if(0)")),
    "if_true": in_region(CHAIN.format("if(1)")),
    "if_computed": in_region(CHAIN.format("if(i > 6)")),
    "dereferenced": in_region(
        "for (int i = 1; i < n; i++) {\ndouble *p = a + i;\n"
        "#pragma omp task firstprivate(p) depend(in: *(p - 1)) depend(inout: *p)\n"
        "*p += 0.5 * p[-1];\n}"
    ),
    "modified_own": in_region(
        "for (int i = 0; i < n; i += 6) {\nint left = 6;\n"
        "#pragma omp task firstprivate(left) depend(inout: a[i:6])\n"
        "while (left > 0) { left--; a[i + left] += left; }\n}"
    ),
    "private_in_task": in_region(
        "int x = 0;\nfor (int i = 0; i < n; i++) {\n"
        "#pragma omp task private(x) depend(inout: a[i])\n{ x = i * 2; a[i] += x; }\n}"
    ),
    "struct_value": in_region(
        "struct pair own = {1.5, 3};\nfor (int i = 0; i < n; i++) {\nown.count = i;\n"
        "#pragma omp task firstprivate(own) depend(inout: a[i])\na[i] += own.low * own.count;\n}"
    ),
    "array_of_a_local_structure": in_region(
        "struct { double parts[2]; } own;\nfor (int i = 0; i < n; i++) {\nown.parts[i % 2] = i;\n"
        "double x = own.parts[i % 2];\n#pragma omp task firstprivate(x) depend(inout: a[i])\n"
        "a[i] += x;\n}"
    ),
    "enumeration": in_region(
        "enum mode how = doubled;\nfor (int i = 0; i < n; i++) {\n"
        "#pragma omp task firstprivate(how) depend(inout: a[i])\na[i] *= how == doubled ? 2 : 1;\n}"
    ),
    "constant": body("a[i] += eighth * 2;"),
    "global_value": body("a[i] += weighed(a, i);"),
    "switch_serial": body("switch (i % 4) { case 0: a[i] += 1; break; default: a[i] += 2; }"),
    "heads_of_loops": body(
        "int m;\n#pragma omp parallel for\nfor (int k = 5; k >= 0; k--) a[i + k] += k;\n"
        "#pragma omp parallel for\nfor (int k = 1; k <= 5; k += 2) a[i + k] += k;\n"
        "#pragma omp parallel for\nfor (m = 0; 6 > m; m = m + 1) a[i + m] += m * m;\n"
        "#pragma omp parallel for\nfor (signed char k = 100; k < 106; k++) a[i + k - 100] += k;\n"
        "#pragma omp parallel for\nfor (unsigned k = 6; k > 0; k -= 2) a[i + k - 1] += k;\n"
        "#pragma omp parallel for simd\nfor (int k = 0; k < 6; k++) a[i + k] += 2 * k;\n"
        "#pragma omp simd\nfor (int k = 0; k < 6; k++) a[i + k] += k;"
    ),
    "collapse_three": body(
        "#pragma omp parallel for collapse(3) schedule(dynamic)\nfor (int x = 0; x < 2; x++)\n"
        "for (int y = 0; y < 1; y++)\nfor (int z = 2; z >= 0; z--)\n"
        "a[i + x * 3 + z] += x + 2 * y + 4 * z;"
    ),
    "reduction_min_max": body(
        "double low = a[i], high = a[i];\n"
        "#pragma omp parallel for reduction(min: low) reduction(max: high)\n"
        "for (int k = 0; k < 6; k++) {\nif (a[i + k] < low) low = a[i + k];\n"
        "if (a[i + k] > high) high = a[i + k];\n}\na[i] = low; a[i + 1] = high;"
    ),
    "loop_private": body(
        "double x, scale = 3;\n"
        "#pragma omp parallel for private(x) firstprivate(scale) num_threads(2)\n"
        "for (int k = 0; k < 6; k++) { x = a[i + k]; a[i + k] = x * scale; }"
    ),
    "serial_between_loops": body(
        "double first = a[i];\nfor (int t = 0; t < 3; t++) {\na[i] = first * t;\n"
        "#pragma omp parallel for\nfor (int k = 1; k < 6; k++) a[i + k] += a[i];\n"
        "if (a[i + 1] > 100) first += a[i + 2];\nelse a[i + 3] -= 1;\n}\nstep(a + i, 6, first);"
    ),
    "math_of_c": body(
        "a[i] = lgamma(a[i] + 3) + fdim(a[i], 2) + (isnan(a[i]) ? 1 : 2);\n"
        "a[i] += atan2f(2, sinhf(0.5f)) + remainder(a[i], 1.5) + isfinite(a[i]);"
    ),
    "table_of_a_function": body("a[i] += weight(i);"),
    "void_in_tasks": body(
        "double *p = filled(a + i, 6);\nvoid *q = p + 1;\ndouble *r = q;\nr[0] += p[0];"
    ),
    "reduction_of_small_types": body(
        "unsigned char some = 250;\nlong long all = 1;\n"
        "#pragma omp parallel for reduction(+: some, all)\n"
        "for (int k = 0; k < 6; k++) { some += 3; all += k; }\na[i] = some + all;"
    ),
    "lists_narrowed": body(
        "size_t own[2] = {i, n}; float small[2] = {a[i], 1.5};\na[i] = own[0] + small[0];"
    ),
    "macros_of_our_names": "#define block 6\n#define type double\n#define vector 2\n"
    + body("type x = block;\na[i] += x;")
    + "#undef block\n#undef type\n#undef vector\n",
    "depend_over_lines": in_region(
        "for (int i = 1; i < n; i++) {\n#pragma omp task depend(in: a[i \\\n"
        "- 1]) /* left */ depend(inout: \\\na[i: \\\n1])\na[i] += a[i - 1];\n}"
    ),
    "math_of_floats": body(
        "float x = a[i] + 0.1f;\n"
        "a[i] = sqrt(x) + pow(x, 0.5f) + fmax(x, i) + abs((int)x) + ldexp(x, 2);"
    ),
}
