#include "tiled_qr/execute.hpp"

namespace gridloom::tiled_qr {

namespace {

/// As plain_pack, but with the vector types of GCC and Clang, each of which fills one or more
/// registers.
template <class T>
struct vector_pack {
  static constexpr int size = static_cast<int>(64 / sizeof(T));
  typedef T vector [[gnu::vector_size(64)]];
  vector elements = {};

  void load(T const* from) { __builtin_memcpy(&elements, from, sizeof(elements)); }
  void store(T* to) const { __builtin_memcpy(to, &elements, sizeof(elements)); }
  void add_product(vector_pack const& a, vector_pack const& b) {
    elements += a.elements * b.elements;
  }
  void subtract_product(T z, vector_pack const& a) { elements -= z * a.elements; }
  T sum() const {
    T total[size];
    store(total);
    for (int width = size / 2; width > 0; width /= 2) {
      for (int u = 0; u < width; ++u) total[u] += total[u + width];
    }
    return total[0];
  }
};

/// A host thread whose processor has registers for `Columns` columns.
template <int Columns>
struct vector_thread : thread_of_one {
  vector_thread() : thread_of_one(0, 1) {}
};

}  // namespace

template <int Columns>
struct column_work<vector_thread<Columns>> {
  template <class T>
  using pack = vector_pack<T>;
  static constexpr int columns = Columns;
};

namespace {

/// The operations for one level of processors. All calls in them are inlined, because called
/// functions would be compiled for the lowest level.
#define GRIDLOOM_LEVEL(level, columns, ...)                                                        \
  struct level {                                                                                   \
    template <class T>                                                                             \
    __VA_ARGS__ static void factorise(tile_ref<T> a, T* taus) {                                    \
      norm_scratch<T> scratch;                                                                     \
      dgeqt2(vector_thread<columns>(), a, taus, scratch);                                          \
    }                                                                                              \
    template <class T>                                                                             \
    __VA_ARGS__ static void factorise_two(tile_ref<T> r, tile_ref<T> a, T* taus) {                 \
      norm_scratch<T> scratch;                                                                     \
      dtsqt2(vector_thread<columns>(), r, a, taus, scratch);                                       \
    }                                                                                              \
    template <class T>                                                                             \
    __VA_ARGS__ static void apply(tile_ref<T const> v, T const* taus, tile_ref<T> a, side which) { \
      dlarfb(vector_thread<columns>(), v, taus, a, which);                                         \
    }                                                                                              \
    template <class T>                                                                             \
    __VA_ARGS__ static void apply_two(tile_ref<T const> v, T const* taus, tile_ref<T> top,         \
                                      tile_ref<T> bottom, side which) {                            \
      dssrfb(vector_thread<columns>(), v, taus, top, bottom, which);                               \
    }                                                                                              \
  };

GRIDLOOM_LEVEL(any_processor, 2)
#if defined(__x86_64__)
GRIDLOOM_LEVEL(with_avx2, 4, [[gnu::target("avx2,fma"), gnu::flatten]])
GRIDLOOM_LEVEL(with_avx512, 8,
               [[gnu::target("avx512f,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512"),
                 gnu::flatten]])
#endif
#undef GRIDLOOM_LEVEL

template <class T>
struct operations_of {
  void (*factorise)(tile_ref<T>, T*);
  void (*factorise_two)(tile_ref<T>, tile_ref<T>, T*);
  void (*apply)(tile_ref<T const>, T const*, tile_ref<T>, side);
  void (*apply_two)(tile_ref<T const>, T const*, tile_ref<T>, tile_ref<T>, side);

  template <class Level>
  static operations_of at() {
    return {&Level::template factorise<T>, &Level::template factorise_two<T>,
            &Level::template apply<T>, &Level::template apply_two<T>};
  }
};

template <class T>
operations_of<T> const& operations() {
  static operations_of<T> const chosen = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0)
      return operations_of<T>::template at<with_avx512>();
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
      return operations_of<T>::template at<with_avx2>();
#endif
    return operations_of<T>::template at<any_processor>();
  }();
  return chosen;
}

}  // namespace

void host_dgeqt2(tile_ref<float> a, float* taus) { operations<float>().factorise(a, taus); }
void host_dgeqt2(tile_ref<double> a, double* taus) { operations<double>().factorise(a, taus); }
void host_dtsqt2(tile_ref<float> r, tile_ref<float> a, float* taus) {
  operations<float>().factorise_two(r, a, taus);
}
void host_dtsqt2(tile_ref<double> r, tile_ref<double> a, double* taus) {
  operations<double>().factorise_two(r, a, taus);
}
void host_dlarfb(tile_ref<float const> v, float const* taus, tile_ref<float> a, side which) {
  operations<float>().apply(v, taus, a, which);
}
void host_dlarfb(tile_ref<double const> v, double const* taus, tile_ref<double> a, side which) {
  operations<double>().apply(v, taus, a, which);
}
void host_dssrfb(tile_ref<float const> v, float const* taus, tile_ref<float> top,
                 tile_ref<float> bottom, side which) {
  operations<float>().apply_two(v, taus, top, bottom, which);
}
void host_dssrfb(tile_ref<double const> v, double const* taus, tile_ref<double> top,
                 tile_ref<double> bottom, side which) {
  operations<double>().apply_two(v, taus, top, bottom, which);
}

}  // namespace gridloom::tiled_qr
