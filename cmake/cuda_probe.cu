// Compiles if a CUDA toolkit is usable. CMake and the scripts test this before they choose CUDA.
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1203
#error nvcc is older than 12.3
#endif
#include <concepts>
template <std::integral Word>
__global__ void probe(Word* word, cudaGraphConditionalHandle loop) {
  ++*word;
  cudaGraphSetConditional(loop, 0);
}
template __global__ void probe(unsigned*, cudaGraphConditionalHandle);
