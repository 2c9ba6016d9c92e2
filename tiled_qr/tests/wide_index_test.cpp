// Tests matrices whose elements are further apart than 32 bits can count. They have few rows, but
// the leading dimension is so large that the last columns begin beyond 2^32 elements. The memory
// between columns is never touched, so it takes only address space.

#include <sys/mman.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "gridloom/device.hpp"
#include "ours/blocked/blocked_panels.hpp"
#include "ours/panel/form_q.hpp"
#include "ours/panel/gram_panels.hpp"
#include "ours/stream/streamed_panels.hpp"
#include "ours/tall/cholesky_panels.hpp"
#include "rivals/lapack.hpp"
#include "scene.hpp"

BOOST_AUTO_TEST_SUITE(wide_index_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

constexpr std::int64_t rows = 150;
constexpr std::int64_t cols = 70;
/// The last column begins 69 · 2^26 elements after the first, which is more than 2^32.
constexpr std::int64_t leading = std::int64_t{1} << 26U;
static_assert((cols - 1) * leading > std::int64_t{1} << 32U);

class address_space {
 public:
  explicit address_space(std::size_t bytes)
      : bytes_(bytes),
        at_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  address_space(address_space const&) = delete;
  address_space& operator=(address_space const&) = delete;
  ~address_space() {
    if (there()) munmap(at_, bytes_);
  }
  [[nodiscard]] bool there() const { return at_ != MAP_FAILED; }
  [[nodiscard]] void* get() const { return at_; }

 private:
  std::size_t bytes_;
  void* at_;
};

template <class T>
constexpr std::size_t bytes_of = sizeof(T) * static_cast<std::size_t>(leading) * cols;

/// Whether a case can run. If not, a message says so, and the test's report counts the case as
/// skipped.
boost::test_tools::assertion_result has_address_space(boost::unit_test::test_unit_id) {
  // ThreadSanitizer would need shadow memory for the whole address space.
  if (!gridloom::test::under_thread_sanitizer && address_space(bytes_of<double>).there())
    return true;
  std::puts("columns beyond 32 bits: skipped, there is no address space for them");
  return false;
}

/// Calls factorise(data) on the spread columns, and returns the result without gaps.
template <class T, class Function>
std::vector<T> spread(std::vector<T> const& a, Function const& factorise) {
  address_space const memory(bytes_of<T>);
  BOOST_REQUIRE(memory.there());
  T* const data = static_cast<T*>(memory.get());
  for (std::int64_t j = 0; j < cols; ++j)
    std::copy_n(a.begin() + j * rows, rows, data + j * leading);
  factorise(data);
  std::vector<T> result(a.size());
  for (std::int64_t j = 0; j < cols; ++j)
    std::copy_n(data + j * leading, rows, result.begin() + j * rows);
  return result;
}

template <class T>
void check_panels() {
  set_lapack_threads(1);
  device machine("host", 0);
  std::vector<T> const a = make_matrix<T>("random", rows, cols, 7);
  std::vector<T> taus;
  // Requires small residuals with the Q that LAPACK forms from the factors and taus of `factorise`.
  auto const check_factors = [&](auto const& factorise) {
    std::vector<T> q = spread(a, factorise);
    auto const r = upper_triangle<T>({rows, cols, 1}, q);
    lapack_orgqr(rows, cols, q.data(), taus.data());
    BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, q, r)) == "");
  };
  check_factors([&](T* data) {
    panels::gram_panels<T> qr(machine, rows, cols, {.blocks = 2, .threads = 1});
    qr.reset();
    qr.run({data, rows, cols, leading});
    qr.require_done();
    taus = machine.copy_to_host(qr.tau());
    // Forms Q from these reflectors by our products.
    std::vector<T> q(static_cast<std::size_t>(rows * cols));
    panels::q_former<T> former(machine, rows, cols, {.blocks = 2, .threads = 1});
    former.run({data, rows, cols, leading}, qr.t().data(), q.data());
    std::vector<T> r(static_cast<std::size_t>(cols * cols), T{0});
    for (std::int64_t j = 0; j < cols; ++j)
      std::copy_n(data + j * leading, j + 1, r.begin() + j * cols);
    BOOST_TEST(excess_of(measure_residuals<T>(rows, cols, a, q, r)) == "");
  });
  for (int const width : {32, 64, 96}) {
    check_factors([&](T* data) {
      panels::blocked_panels<T> qr(machine, rows, cols, {.blocks = 2, .width = width});
      qr.run({data, rows, cols, leading});
      taus = machine.copy_to_host(qr.tau());
    });
  }
  check_factors([&](T* data) {
    cholesky_panels<T> qr(machine, rows, cols, {.blocks = 2, .chooses = false});
    qr.run({data, rows, cols, leading});
    BOOST_TEST(qr.steps() > 0);
    taus = machine.copy_to_host(qr.tau());
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(panels_reach_columns_beyond_32_bits,
                     *boost::unit_test::precondition(has_address_space)) {
  check_panels<float>();
  check_panels<double>();
}

BOOST_AUTO_TEST_CASE(tiles_reach_columns_beyond_32_bits,
                     *boost::unit_test::precondition(has_address_space)) {
  device machine("host", 0);
  tiling const cut = make_tiling(rows, cols, 32);
  std::vector<double> const a = make_matrix<double>("random", rows, cols, 7);
  for (scheduling const how : schedulings_on(machine, 1)) {
    buffer<double> const taus = machine.allocate<double>(cut.taus());
    std::vector<double> q;
    factorization<double> qr(machine, cut, {.how = how, .blocks = 2, .threads = 1});
    auto const factors = spread(a, [&](double* data) {
      tiled_matrix_ref<double> const matrix{data, leading, taus.data(), cut};
      qr.prepare(matrix);
      qr.reset();
      qr.run(matrix);
      qr.require_done();
      q = form_q(machine, matrix, cols, {2, 1});
    });
    auto const r = upper_triangle<double>(cut, factors);
    BOOST_TEST(excess_of(measure_residuals<double>(rows, cols, a, q, r)) == "",
               "scheduling " << number_of(how));
  }
}

BOOST_AUTO_TEST_SUITE_END()
