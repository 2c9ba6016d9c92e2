/* Smith-Waterman alignment with affine gaps: the best score of parts of two sequences. H has the best scores,
 * E and F those of alignments that end in a gap. A tile of each is contiguous. In depend clauses, H's tile
 * stands for all three. The tasks are those of juggler's application `sw`.
 *
 *   sw [tiles] [side] [repeat]    rows of tiles, rows of a tile
 */
#include "measure.h"

enum { match = 5, mismatch = -3, open = 8, extend = 1, none = -1000000 };

static int larger(int a, int b) { return a > b ? a : b; }

static int value_at(const int *table, int row, int col, int tiles, int side, int outside)
{
    if (row < 0 || col < 0)
        return outside;
    long tile = row / side * tiles + col / side;
    return table[tile * side * side + row % side * side + col % side];
}

/* The elements of a diagonal are independent. */
static void align_tile(const char *x, const char *y, int *h, int *e, int *f, int *best, int i, int j, int tiles,
                       int side)
{
    long cells = side * side, begin = (i * tiles + j) * cells;
    for (int d = 0; d < 2 * side - 1; d++) {
        int first = d < side ? 0 : d - side + 1, last = d < side ? d : side - 1;
        #pragma omp parallel for
        for (int r = first; r <= last; r++) {
            int row = i * side + r, col = j * side + d - r;
            long at = begin + r * side + d - r;
            int left_e = d > r ? e[at - 1] : value_at(e, row, col - 1, tiles, side, none);
            int left_h = d > r ? h[at - 1] : value_at(h, row, col - 1, tiles, side, 0);
            int up_f = r > 0 ? f[at - side] : value_at(f, row - 1, col, tiles, side, none);
            int up_h = r > 0 ? h[at - side] : value_at(h, row - 1, col, tiles, side, 0);
            int before = r > 0 && d > r ? h[at - side - 1] : value_at(h, row - 1, col - 1, tiles, side, 0);
            int through = before + (x[row] == y[col] ? match : mismatch);
            e[at] = larger(left_e - extend, left_h - open - extend);
            f[at] = larger(up_f - extend, up_h - open - extend);
            h[at] = larger(larger(0, through), larger(e[at], f[at]));
        }
    }
    int top = 0;
    #pragma omp parallel for reduction(max: top)
    for (int c = 0; c < cells; c++)
        top = larger(top, h[begin + c]);
    best[i * tiles + j] = top;
}

static void align(const char *x, const char *y, int *h, int *e, int *f, int *best, int tiles, int side)
{
    long cells = (long)side * side;
    #pragma omp target parallel map(to: x[0:tiles * side], y[0:tiles * side]) map(from: best[0:tiles * tiles]) \
        map(from: h[0:tiles * tiles * cells]) map(alloc: e[0:tiles * tiles * cells], f[0:tiles * tiles * cells])
    #pragma omp single
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j < tiles; j++) {
            /* Without a neighbour, the tile itself takes its place. */
            long own = (i * tiles + j) * cells;
            long above = i > 0 ? own - tiles * cells : own, left = j > 0 ? own - cells : own;
            long corner = i > 0 && j > 0 ? above - cells : own;
            #pragma omp task depend(in: h[corner:cells], h[above:cells], h[left:cells]) depend(out: h[own:cells])
            align_tile(x, y, h, e, f, best, i, j, tiles, side);
        }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int repeat = argument(argc, argv, 3, 1);
    int n = tiles * side;
    long all = (long)n * n;
    char *x = malloc(n), *y = malloc(n);
    int *h = malloc(all * sizeof *h), *e = malloc(all * sizeof *e), *f = malloc(all * sizeof *f);
    int *best = malloc(tiles * tiles * sizeof *best);
    unsigned seed = 1;
    for (int k = 0; k < n; k++) {
        x[k] = "ACGT"[next_random(&seed) >> 22];
        y[k] = "ACGT"[next_random(&seed) >> 22];
    }
    for (int k = 0; k < repeat; k++) {
        double begin = now_ms();
        align(x, y, h, e, f, best, tiles, side);
        tell_region(begin);
    }
    int score = 0;
    for (int k = 0; k < tiles * tiles; k++)
        score = larger(score, best[k]);
    long sum = 0;
    for (long c = 0; c < all; c++)
        sum += (long)h[c] * (c % 101);
    printf("%d %ld\n", score, sum);
    free(x);
    free(y);
    free(h);
    free(e);
    free(f);
    free(best);
    return 0;
}
