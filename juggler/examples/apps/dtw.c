/* Dynamic time warping: the cost of the best match of two prefixes, for all pairs of lengths. A tile of costs
 * is contiguous. The tasks are those of juggler's application `dtw`.
 *
 *   dtw [tiles] [side] [repeat]    rows of tiles, rows of a tile
 */
#include <math.h>

#include "measure.h"

/* Outside the matrix, only the corner has a finite cost: every match begins there. */
static double cost_at(const double *cost, int row, int col, int tiles, int side)
{
    if (row < 0 || col < 0)
        return row == col ? 0 : HUGE_VAL;
    long tile = row / side * tiles + col / side;
    return cost[tile * side * side + row % side * side + col % side];
}

/* The elements of a diagonal are independent. */
static void warp(const double *x, const double *y, double *cost, int i, int j, int tiles, int side)
{
    long cells = side * side;
    double *own = cost + (i * tiles + j) * cells;
    for (int d = 0; d < 2 * side - 1; d++) {
        int first = d < side ? 0 : d - side + 1, last = d < side ? d : side - 1;
        #pragma omp parallel for
        for (int r = first; r <= last; r++) {
            int c = d - r, row = i * side + r, col = j * side + c;
            double up = r > 0 ? own[(r - 1) * side + c] : cost_at(cost, row - 1, col, tiles, side);
            double left = c > 0 ? own[r * side + c - 1] : cost_at(cost, row, col - 1, tiles, side);
            double before = r > 0 && c > 0 ? own[(r - 1) * side + c - 1] : cost_at(cost, row - 1, col - 1, tiles, side);
            double least = up < left ? up : left;
            own[r * side + c] = fabs(x[row] - y[col]) + (before < least ? before : least);
        }
    }
}

static void match(const double *x, const double *y, double *cost, int tiles, int side)
{
    long cells = (long)side * side;
    #pragma omp target parallel map(to: x[0:tiles * side], y[0:tiles * side]) map(from: cost[0:tiles * tiles * cells])
    #pragma omp single
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j < tiles; j++) {
            /* Without a neighbour, the tile itself takes its place. */
            long own = (i * tiles + j) * cells;
            long above = i > 0 ? own - tiles * cells : own, left = j > 0 ? own - cells : own;
            long corner = i > 0 && j > 0 ? above - cells : own;
            #pragma omp task depend(in: cost[corner:cells], cost[above:cells], cost[left:cells]) \
                depend(out: cost[own:cells])
            warp(x, y, cost, i, j, tiles, side);
        }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int repeat = argument(argc, argv, 3, 1);
    int n = tiles * side;
    long all = (long)n * n;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *cost = malloc(all * sizeof *cost);
    unsigned seed = 1;
    for (int k = 0; k < n; k++) {
        x[k] = (k > 0 ? x[k - 1] : 0) + next_random(&seed) / 8388608.0 - 1;
        y[k] = (k > 0 ? y[k - 1] : 0) + next_random(&seed) / 8388608.0 - 1;
    }
    for (int k = 0; k < repeat; k++) {
        double begin = now_ms();
        match(x, y, cost, tiles, side);
        tell_region(begin);
    }
    double sum = 0;
    for (long c = 0; c < all; c++)
        sum += cost[c] * (c % 101 - 50);
    printf("%.15g %.15g\n", cost[all - 1], sum);
    free(x);
    free(y);
    free(cost);
    return 0;
}
