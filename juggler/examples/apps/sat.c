/* Summed area table: for each pixel the sum of all pixels above and to the left. A tile needs the last row of
 * sums of the tile above, and the row sums of the tile to the left, which tasks leave in a separate array. A
 * tile is contiguous. The tasks are those of juggler's application `sat`.
 *
 *   sat [tiles] [side] [repeat]    rows of tiles, rows of a tile
 */
#include "measure.h"

static void sum_tile(const unsigned *pixels, unsigned *sums, unsigned *row_sums, int i, int j, int tiles, int side)
{
    long number = i * tiles + j, cells = side * side;
    const unsigned *from = pixels + number * cells;
    unsigned *own = sums + number * cells;
    #pragma omp parallel for
    for (int r = 0; r < side; r++) {
        unsigned sum = j > 0 ? row_sums[(number - 1) * side + r] : 0;
        for (int c = 0; c < side; c++) {
            sum += from[r * side + c];
            own[r * side + c] = sum;
        }
        row_sums[number * side + r] = sum;
    }
    #pragma omp parallel for
    for (int c = 0; c < side; c++) {
        unsigned sum = i > 0 ? own[c - tiles * cells + (side - 1) * side] : 0;
        for (int r = 0; r < side; r++) {
            sum += own[r * side + c];
            own[r * side + c] = sum;
        }
    }
}

static void sum_up(const unsigned *pixels, unsigned *sums, unsigned *row_sums, int tiles, int side)
{
    long cells = (long)side * side;
    #pragma omp target parallel map(to: pixels[0:tiles * tiles * cells]) map(from: sums[0:tiles * tiles * cells]) \
        map(alloc: row_sums[0:tiles * tiles * side])
    #pragma omp single
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j < tiles; j++) {
            /* Without a neighbour, the tile itself takes its place. */
            long own = i * tiles + j, above = i > 0 ? own - tiles : own, left = j > 0 ? own - 1 : own;
            #pragma omp task depend(in: sums[above * cells:cells], row_sums[left * side:side]) \
                depend(out: sums[own * cells:cells], row_sums[own * side:side])
            sum_tile(pixels, sums, row_sums, i, j, tiles, side);
        }
}

int main(int argc, char **argv)
{
    int tiles = argument(argc, argv, 1, 4), side = argument(argc, argv, 2, 8);
    int repeat = argument(argc, argv, 3, 1);
    long all = (long)tiles * tiles * side * side;
    unsigned *pixels = malloc(all * sizeof *pixels), *sums = malloc(all * sizeof *sums);
    unsigned *row_sums = malloc((long)tiles * tiles * side * sizeof *row_sums);
    unsigned seed = 1;
    for (long c = 0; c < all; c++)
        pixels[c] = next_random(&seed) % 32;
    for (int k = 0; k < repeat; k++) {
        double begin = now_ms();
        sum_up(pixels, sums, row_sums, tiles, side);
        tell_region(begin);
    }
    unsigned long sum = 0;
    for (long c = 0; c < all; c++)
        sum += (unsigned long)sums[c] * (c % 101);
    printf("%lu %u\n", sum, sums[all - 1]);
    free(pixels);
    free(sums);
    free(row_sums);
    return 0;
}
