// Tests CholeskyQR2 by our products, on the machines that this is linked for. Results are as
// accurate as the library's if the condition allows it. Otherwise the failure is noticed.

#include "gridloom/error.hpp"
#include "rivals/device_products.hpp"
#include "rivals/lapack.hpp"
#include "rivals/tall_products.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

struct outcome {
  residuals found;
  std::vector<int> infos;
  std::vector<double> q;
};

template <class T>
outcome factorise(test_machine const& on, device& machine, double condition, std::int64_t rows,
                  std::int64_t cols) {
  set_lapack_threads(1);
  auto const a = make_matrix<T>(conditioned_family, rows, cols, 3, condition);
  auto const by = make_products<T>(machine, product_maker::own, rows, cols, on.shape.blocks);
  auto const small = static_cast<std::size_t>(cols * cols);
  buffer<T> const matrix = machine.allocate_copy(a);
  // R and Q are not initialised with zeros, because they need not be.
  buffer<T> const r = machine.allocate_copy(std::vector<T>(small, T(1e30)));
  buffer<T> const g = machine.allocate_copy(std::vector<T>(small, T(1e30)));
  buffer<int> const infos = machine.allocate<int>(2);
  cholesky_qr2<T>(*by, matrix.data(), r.data(), g.data(), infos.data());
  machine.synchronize();
  auto const q = machine.copy_to_host(matrix);
  return {measure_residuals<T>(rows, cols, a, q, machine.copy_to_host(r)),
          machine.copy_to_host(infos),
          {q.begin(), q.end()}};
}

template <class T>
void check_good(test_machine const& on, device& machine, double condition, std::int64_t rows,
                std::int64_t cols) {
  BOOST_TEST_CONTEXT(rows << " x " << cols << ", condition " << condition << ", " << sizeof(T)
                          << " bytes") {
    outcome const of = factorise<T>(on, machine, condition, rows, cols);
    BOOST_TEST(excess_of(of.found) == "");
    BOOST_TEST((of.infos[0] == 0 && of.infos[1] == 0));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_products)

BOOST_AUTO_TEST_CASE(few_well_conditioned_rows_give_an_orthogonal_q) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (double const condition : {1.0, 1e3, 1e6})
      check_good<double>(on, machine, condition, 120, 40);
    check_good<float>(on, machine, 10, 120, 40);
    check_good<double>(on, machine, 100, 33, 33);
    check_good<double>(on, machine, 1, 9, 1);
    check_good<double>(on, machine, 1, 1, 1);
  });
}

BOOST_AUTO_TEST_CASE(every_number_of_panels_is_right_with_rows_of_several_chunks) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t cols = 32; cols <= 256; cols += 32)
      check_good<double>(on, machine, 1e4, 1024, cols);
    for (std::int64_t const cols : {31, 67, 130, 229}) {
      check_good<double>(on, machine, 1e4, 1031, cols);
      check_good<float>(on, machine, 10, 602, cols);
    }
  });
}

BOOST_AUTO_TEST_CASE(the_gram_matrix_is_a_sum_over_all_rows) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const cols : {3, 64, 200, 256}) {
      std::int64_t const rows = 2000;
      // Sums of whole numbers give the same result in any order.
      std::vector<double> a(static_cast<std::size_t>(rows * cols));
      for (std::size_t e = 0; e < a.size(); ++e) a[e] = static_cast<double>(e * 7919 % 31) - 15;
      auto const by =
          make_products<double>(machine, product_maker::own, rows, cols, on.shape.blocks);
      buffer<double> const matrix = machine.allocate_copy(a);
      buffer<double> const g =
          machine.allocate_copy(std::vector<double>(static_cast<std::size_t>(cols * cols), 1e30));
      by->gram(matrix.data(), g.data());
      machine.synchronize();
      auto const found = machine.copy_to_host(g);
      int wrong = 0;
      for (std::int64_t col = 0; col < cols; ++col) {
        for (std::int64_t row = 0; row <= col; ++row) {
          double sum = 0;
          for (std::int64_t k = 0; k < rows; ++k)
            sum += a[static_cast<std::size_t>(row * rows + k)] *
                   a[static_cast<std::size_t>(col * rows + k)];
          if (found[static_cast<std::size_t>(col * cols + row)] != sum) ++wrong;
        }
      }
      BOOST_TEST(wrong == 0, cols << " columns");
    }
  });
}

BOOST_AUTO_TEST_CASE(a_bad_condition_is_noticed) {
  on_each_machine([](test_machine const& on, device& machine) {
    outcome const of = factorise<double>(on, machine, 1e14, 120, 40);
    BOOST_TEST(excess_of(of.found) != "");
    BOOST_TEST((of.infos[0] != 0 || of.found.orthogonality > residual_bound));
    // For float, our sums are doubles, and may keep digits that the library loses.
    BOOST_TEST(excess_of(factorise<float>(on, machine, 1e9, 120, 40).found) != "");
  });
}

BOOST_AUTO_TEST_CASE(the_same_input_gives_the_same_bits) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const first = factorise<double>(on, machine, 100, 1000, 200).q;
    for (int again = 0; again < 3; ++again)
      BOOST_TEST((factorise<double>(on, machine, 100, 1000, 200).q == first));
  });
}

BOOST_AUTO_TEST_CASE(more_columns_than_256_are_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    std::string const text = error_text<unsupported>(
        [&] { make_products<double>(machine, product_maker::own, 400, 257); });
    BOOST_TEST(contains(text, "at most 256 columns"));
  });
}

BOOST_AUTO_TEST_SUITE_END()
