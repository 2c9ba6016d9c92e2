/* A tiled matrix product whose dependences are two-dimensional sections of arrays. */
#include <stdio.h>

#define N 40
#define B 8

static double a[N][N], b[N][N], c[N][N];

static void product(void)
{
    #pragma omp target parallel map(to: a, b) map(tofrom: c)
    #pragma omp single
    for (int i = 0; i < N; i += B)
        for (int j = 0; j < N; j += B)
            for (int k = 0; k < N; k += B) {
                #pragma omp task depend(in: a[i:B][k:B], b[k:B][j:B]) depend(inout: c[i:B][j:B])
                {
                    #pragma omp parallel for collapse(2)
                    for (int ii = i; ii < i + B; ii++)
                        for (int jj = j; jj < j + B; jj++) {
                            double sum = c[ii][jj];
                            for (int kk = k; kk < k + B; kk++)
                                sum += a[ii][kk] * b[kk][jj];
                            c[ii][jj] = sum;
                        }
                }
            }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 3 + j * 5) % 17 - 8;
            b[i][j] = (i * 7 + j * 2) % 13 - 6;
        }
    product();
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += c[i][j] * ((i * N + j) % 23);
    printf("%.15g %.15g\n", sum, c[N - 1][N - 1]);
    return 0;
}
