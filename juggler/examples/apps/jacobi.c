/* Jacobi iteration of a five-point stencil by two kernels: `copy` saves the field of the previous step, and
 * `compute` sets each cell to the mean of its neighbours there. A tile is contiguous; the outermost cells of
 * the field are fixed. The tasks are those of juggler's application `jacobi`.
 *
 *   jacobi [tiles] [side] [steps] [repeat]    rows of tiles, rows of a tile
 */
#include "measure.h"

static void copy(double *u, const double *next, long begin, int cells)
{
    #pragma omp parallel for
    for (int c = 0; c < cells; c++)
        u[begin + c] = next[begin + c];
}

static void compute(const double *u, double *next, int i, int j, int tiles, int side)
{
    long cells = side * side, begin = (i * tiles + j) * cells;
    const double *own = u + begin;
    const double *above = own - tiles * cells + (side - 1) * side;
    const double *below = own + tiles * cells;
    int first_row = i == 0, last_row = side - (i == tiles - 1);
    int first_col = j == 0, last_col = side - (j == tiles - 1);
    #pragma omp parallel for
    for (int at = 0; at < cells; at++) {
        int r = at / side, c = at % side;
        if (r >= first_row && r < last_row && c >= first_col && c < last_col) {
            double up = r > 0 ? own[at - side] : above[c];
            double left = c > 0 ? own[at - 1] : own[at + side - 1 - cells];
            double right = c < side - 1 ? own[at + 1] : own[at - side + 1 + cells];
            double down = r < side - 1 ? own[at + side] : below[c];
            next[begin + at] = 0.25 * ((up + left) + (right + down));
        }
    }
}

static void iterate(double *u, double *next, int tiles, int side, int steps)
{
    long cells = (long)side * side;
    #pragma omp target parallel map(alloc: u[0:tiles * tiles * cells]) map(tofrom: next[0:tiles * tiles * cells])
    #pragma omp single
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < tiles * tiles; k++) {
            long own = k * cells;
            #pragma omp task depend(in: next[own:cells]) depend(out: u[own:cells])
            copy(u, next, own, cells);
        }
        for (int i = 0; i < tiles; i++)
            for (int j = 0; j < tiles; j++) {
                /* Without a neighbour, the tile itself takes its place. */
                long own = (i * tiles + j) * cells;
                long above = i > 0 ? own - tiles * cells : own, left = j > 0 ? own - cells : own;
                long below = i < tiles - 1 ? own + tiles * cells : own, right = j < tiles - 1 ? own + cells : own;
                #pragma omp task depend(in: u[own:cells], u[above:cells], u[left:cells], u[right:cells]) \
                    depend(in: u[below:cells]) depend(out: next[own:cells])
                compute(u, next, i, j, tiles, side);
            }
    }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int steps = argument(argc, argv, 3, 2), repeat = argument(argc, argv, 4, 1);
    long all = (long)tiles * tiles * side * side;
    double *u = malloc(all * sizeof *u), *next = malloc(all * sizeof *next);
    for (int k = 0; k < repeat; k++) {
        unsigned seed = 1;
        for (long c = 0; c < all; c++)
            next[c] = next_random(&seed) / 16777216.0;
        double begin = now_ms();
        iterate(u, next, tiles, side, steps);
        tell_region(begin);
    }
    double sum = 0;
    for (long c = 0; c < all; c++)
        sum += next[c] * (c % 101 - 50);
    printf("%.15g %.15g\n", sum, next[all / 2]);
    free(u);
    free(next);
    return 0;
}
