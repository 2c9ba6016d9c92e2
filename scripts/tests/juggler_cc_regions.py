"""Regions that juggler-cc translates: maps, and code between tasks."""

ACCEPTED = {
    "map_part": """\
    #pragma omp target parallel map(tofrom: a[6:n - 6])
    #pragma omp single
    for (int i = 6; i < n; i += 6) {
        #pragma omp task depend(inout: a[i:6])
        step(a + i, 6, i);
    }
""",
    "map_two_dimensions": """\
    for (int i = 0; i < n; i++) grid[i / 6][i % 6] = a[i];
    #pragma omp target parallel map(tofrom: grid)
    #pragma omp single
    for (int i = 0; i < 3; i++) {
        #pragma omp task depend(inout: grid[i][0:6]) depend(in: grid[i + 1][:])
        grid[i][2] += grid[i + 1][5 - i];
    }
    for (int i = 0; i < n; i++) a[i] = grid[i / 6][i % 6];
""",
    "map_pointer_to_rows": """\
    double (*rows)[6] = (double (*)[6])a;
    #pragma omp target parallel map(tofrom: rows[0:4])
    #pragma omp single
    for (int i = 1; i < 4; i++) {
        #pragma omp task depend(in: rows[i - 1][0:6]) depend(inout: rows[i][0:6])
        for (int j = 0; j < 6; j++) rows[i][j] += rows[i - 1][j];
    }
""",
    "array_not_named": """\
    double own[N];
    for (int i = 0; i < n; i++) own[i] = a[i];
    #pragma omp target parallel
    #pragma omp single
    for (int i = 1; i < n; i++) {
        #pragma omp task depend(in: own[i - 1]) depend(inout: own[i])
        own[i] += own[i - 1];
    }
    for (int i = 0; i < n; i++) a[i] = own[i];
""",
    "scalar_token": """\
    int turn;
    #pragma omp target parallel map(tofrom: a[0:n]) private(turn)
    #pragma omp single
    for (int i = 0; i < n; i += 6) {
        #pragma omp task depend(inout: turn)
        { a[0] = a[0] * 1.5 + i; a[i + 1] += a[0]; }
    }
""",
    "negative_base": """\
    double *behind = a + n;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = n; i > 1; i--) {
        #pragma omp task depend(in: behind[-i:1]) depend(inout: behind[1 - i:1])
        a[n - i + 1] += a[n - i];
    }
""",
    "taskwait_behind_undeferred": """\
    double sum = 0;
    #pragma omp target parallel map(tofrom: a[0:n], sum)
    #pragma omp single
    {
        for (int i = 0; i < n; i++) {
            #pragma omp task
            { double x = 0; for (int k = 0; k < 20000; k++) x += sin(x + k); a[i] += x * 1e-9; }
        }
        #pragma omp task if(0)
        sum = 1;
        #pragma omp taskwait
        #pragma omp task
        for (int i = 0; i < n; i++) sum += a[i];
    }
    a[0] = sum;
""",
    "taskgroup": """\
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    {
        #pragma omp taskgroup
        for (int i = 0; i < n; i++) {
            #pragma omp task
            a[i] += i;
        }
        #pragma omp task
        a[0] += a[n - 1];
    }
""",
    "target_and_parallel": """\
    #pragma omp target map(tofrom: a[0:n])
    #pragma omp parallel num_threads(4)
    {
        #pragma omp single nowait
        for (int i = 0; i < n; i += 6) {
            #pragma omp task depend(inout: a[i:6])
            step(a + i, 6, 1);
        }
    }
""",
    "declared_before_single": """\
    #pragma omp target parallel map(tofrom: a[0:n]) default(shared)
    {
        int width = 6;
        #pragma omp single
        for (int i = 0; i < n; i += width) {
            #pragma omp task firstprivate(width) depend(inout: a[i:width])
            step(a + i, width, 1);
        }
    }
""",
    "condition_on_input": """\
    int chosen[N];
    for (int i = 0; i < n; i++) chosen[i] = i * 5 % 3;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < n; i++)
        if (chosen[i] == 1) {
            #pragma omp task depend(inout: a[i])
            mark(a + i, i);
        } else if (chosen[i] == 2)
            #pragma omp task depend(inout: a[i])
            mark(a + i, -i);
""",
    "no_tasks_at_run_time": """\
    int none = n - N;
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < none; i++) {
        #pragma omp task depend(inout: a[i])
        a[i] += 1;
    }
""",
    "eligible_by_directive": """\
    #pragma juggler eligible
    #pragma omp target parallel map(tofrom: a[0:n])
    #pragma omp single
    for (int i = 0; i < (int)(a[0] * 0) + 4; i++) {
        #pragma omp task depend(inout: a[i + 1])
        a[i + 1] += 1;
    }
""",
    "local_array_and_number": """\
    double own[N];
    int count = 0;
    for (int i = 0; i < n; i++) own[i] = a[i];
    #pragma omp target parallel map(tofrom: own, count, a[0:n])
    #pragma omp single
    for (int i = 0; i < n; i += 6) {
        #pragma omp task depend(inout: own[i:6], a[i:6], count)
        {
            own[i] += 1;
            count += 2;
            step(&own[i], 6, count);
            #pragma omp parallel for
            for (int k = 0; k < 6; k++) a[i + k] += own[i + k];
            own[i + 1] += count;
            if (own[i] > 3) own[i + 2] += a[i];
        }
    }
    for (int i = 0; i < n; i++) a[i] += own[i] + count;
""",
    "section_of_a_macro": """\
#define SIX(p, i) p[(i) : 6]
    #pragma omp target parallel map(tofrom: a[0:n]) num_threads(n + 8)
    #pragma omp single
    for (int i = 0; i < n; i += 6) {
        #pragma omp task depend(inout: SIX(a, i))
        step(a + i, 6, 1);
        #pragma omp task depend(inout: SIX(a, i))
        mark(a + i + 1, i);
    }
""",
    "local_constants": """    const int width = 6;
    enum { some = 2, twice = 2 * some };
    #pragma omp target parallel map(tofrom: a[0:width * 4])
    #pragma omp single
    for (int i = 0; i < n; i += width) {
        #pragma omp task depend(inout: a[i:width])
        for (int k = 0; k < width - some; k++) a[i + k] += k * twice;
    }
""",
}
