/* Shared by all applications: arguments, generated input, and the time of a region. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Argument `number`, or the default. */
static int argument(int argc, char **argv, int number, int otherwise)
{
    int value = argc > number ? atoi(argv[number]) : otherwise;
    if (value < 1) {
        fprintf(stderr, "%s: argument %d: expected a number of at least 1\n", argv[0], number);
        exit(2);
    }
    return value;
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static double now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

/* Prints the time of a region with the copies of `map`. */
static void tell_region(double begin_ms)
{
    fprintf(stderr, "region: %.6f ms\n", now_ms() - begin_ms);
}

#endif
