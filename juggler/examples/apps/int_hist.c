/* Integral histogram: for each bin, the number of pixels above and to the left of a pixel that fall into it. A
 * task computes a tile for all bins, from the last row of the tile above and the row sums of the tile to the
 * left. A tile is contiguous, bin by bin. The tasks are those of juggler's application `int_hist`.
 *
 *   int_hist [tiles] [side] [bins] [repeat]    rows of tiles, rows of a tile
 */
#include "measure.h"

static void count_tile(const unsigned char *pixels, unsigned *counts, unsigned *row_counts, int i, int j, int tiles,
                       int side, int bins)
{
    long number = i * tiles + j, cells = side * side;
    const unsigned char *from = pixels + number * cells;
    unsigned *own = counts + number * bins * cells;
    #pragma omp parallel for
    for (int line = 0; line < bins * side; line++) {
        int bin = line / side, r = line % side;
        unsigned count = j > 0 ? row_counts[(number - 1) * bins * side + line] : 0;
        for (int c = 0; c < side; c++) {
            count += from[r * side + c] * bins / 256 == bin;
            own[bin * cells + r * side + c] = count;
        }
        row_counts[number * bins * side + line] = count;
    }
    #pragma omp parallel for
    for (int line = 0; line < bins * side; line++) {
        int bin = line / side, c = line % side;
        unsigned *column = own + bin * cells + c;
        unsigned count = i > 0 ? column[(side - 1) * side - tiles * bins * cells] : 0;
        for (int r = 0; r < side; r++) {
            count += column[r * side];
            column[r * side] = count;
        }
    }
}

static void count(const unsigned char *pixels, unsigned *counts, unsigned *row_counts, int tiles, int side, int bins)
{
    long cells = (long)bins * side * side, rows = (long)bins * side;
    #pragma omp target parallel map(to: pixels[0:(long)tiles * tiles * side * side]) \
        map(from: counts[0:tiles * tiles * cells]) map(alloc: row_counts[0:tiles * tiles * rows])
    #pragma omp single
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j < tiles; j++) {
            /* Without a neighbour, the tile itself takes its place. */
            long own = i * tiles + j, above = i > 0 ? own - tiles : own, left = j > 0 ? own - 1 : own;
            #pragma omp task depend(in: counts[above * cells:cells], row_counts[left * rows:rows]) \
                depend(out: counts[own * cells:cells], row_counts[own * rows:rows])
            count_tile(pixels, counts, row_counts, i, j, tiles, side, bins);
        }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int bins = argument(argc, argv, 3, 4), repeat = argument(argc, argv, 4, 1);
    long all = (long)tiles * tiles * side * side;
    unsigned char *pixels = malloc(all);
    unsigned *counts = malloc(all * bins * sizeof *counts);
    unsigned *row_counts = malloc((long)tiles * tiles * side * bins * sizeof *row_counts);
    unsigned seed = 1;
    for (long c = 0; c < all; c++)
        pixels[c] = next_random(&seed) >> 16;
    for (int k = 0; k < repeat; k++) {
        double begin = now_ms();
        count(pixels, counts, row_counts, tiles, side, bins);
        tell_region(begin);
    }
    unsigned long sum = 0;
    for (long c = 0; c < all * bins; c++)
        sum += (unsigned long)counts[c] * (c % 101);
    printf("%lu %u\n", sum, counts[all * bins - 1]);
    free(pixels);
    free(counts);
    free(row_counts);
    return 0;
}
