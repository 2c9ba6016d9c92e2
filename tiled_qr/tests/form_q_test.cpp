// Tests explicit Q that is formed in two passes over the rows, or by products of the library with
// some panels at a time. It must equal the product of Q and the identity. Also tests the copy of R.
// Runs on the machines that it is linked for.

#include "ours/panel/form_q.hpp"

#include <limits>

#include "ours/matrix_kernels.hpp"
#include "panel_engines.hpp"
#include "reflected.hpp"
#include "scene.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;
using namespace gridloom::tiled_qr::test;

namespace {

enum class form_by { two_passes, products };

/// Forms Q in memory that is not initialised and whose start is shifted by `shift` entries.
template <class Engine, class T>
std::vector<T> formed(test_machine const& on, device& machine, reflected<Engine, T> const& of,
                      form_by how = form_by::two_passes, std::size_t shift = 0) {
  auto const factors = of.factors();
  std::int64_t const vectors = std::min(factors.rows, factors.cols);
  auto const size = static_cast<std::size_t>(factors.rows * vectors);
  buffer<T> const q =
      machine.allocate_copy(std::vector<T>(size + shift + 1, std::numeric_limits<T>::quiet_NaN()));
  if (how == form_by::two_passes) {
    tall_q_former<T> former(machine, factors.rows, vectors, on.shape.blocks, on.shape.threads);
    former.run({factors.data, factors.rows, vectors, factors.leading}, of.t(), q.data() + shift);
  } else {
    panels::q_applier<T> applier(machine, 64, vectors, applier_on(on));
    applier.form(factors, of.t(), q.data() + shift);
  }
  std::vector<T> const all = machine.copy_to_host(q);
  for (std::size_t at = 0; at < shift; ++at) BOOST_TEST(all[at] != all[at]);
  BOOST_TEST(all.back() != all.back());
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(shift);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

/// Returns the first columns of Q, as the product of Q (q_applier) and columns of the identity.
template <class Engine, class T>
std::vector<T> applied_to_identity(test_machine const& on, device& machine,
                                   reflected<Engine, T> const& of) {
  auto const factors = of.factors();
  std::int64_t const vectors = std::min(factors.rows, factors.cols);
  std::vector<T> identity(static_cast<std::size_t>(factors.rows * vectors), T{0});
  for (std::int64_t i = 0; i < vectors; ++i)
    identity[static_cast<std::size_t>(i * factors.rows + i)] = T{1};
  buffer<T> const c = machine.allocate_copy(identity);
  panels::q_applier<T> applier(machine, vectors, vectors, applier_on(on));
  applier.run(factors, of.t(), side::q, {c.data(), factors.rows, vectors, factors.rows});
  return machine.copy_to_host(c);
}

template <class Engine, class T>
void check_formed(test_machine const& on, device& machine, std::string const& family,
                  std::int64_t rows, std::int64_t cols, std::int64_t gap = 0,
                  double condition = usual_condition) {
  BOOST_TEST_CONTEXT(family << ", " << rows << " x " << cols << ", gap " << gap << ", condition "
                            << condition << ", " << sizeof(T) << " bytes") {
    auto const a = make_matrix<T>(family, rows, cols, 7, condition);
    reflected<Engine, T> const of(on, machine, a, rows, cols, gap);
    std::vector<T> const expected = applied_to_identity(on, machine, of);
    for (form_by const how : {form_by::two_passes, form_by::products}) {
      std::vector<T> const q = formed(on, machine, of, how);
      BOOST_TEST(distance<T>(q, expected) <= 30 * epsilon<T>() * std::sqrt(double(rows)));
      BOOST_TEST((formed(on, machine, of, how) == q), "other bits");
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tiled_qr_form_q)

// Sanitizers make kernels slow, so this case has only two panels. The second is not full.
BOOST_AUTO_TEST_CASE(q_of_a_few_panels_is_formed) {
  on_two_machines([](test_machine const& on, device& machine) {
    check_formed<resident, double>(on, machine, "random", 45, 34);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_size_is_that_of_the_identity, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::int64_t const gap : {0, 3}) {
      for (auto const& [rows, cols] :
           {std::pair{1, 1}, {33, 1}, {1, 33}, {300, 32}, {131, 67}, {90, 300}, {128, 128}})
        check_formed<Engine, double>(on, machine, "random", rows, cols, gap);
      for (auto const& [rows, cols] : {std::pair{33, 33}, {100, 97}, {40, 50}})
        check_formed<Engine, float>(on, machine, "random", rows, cols, gap);
    }
  });
}

BOOST_AUTO_TEST_CASE(every_number_of_panels_is_right_with_rows_of_several_chunks) {
  test_machine const& on = test_machines().back();
  for (std::int64_t cols = 32; cols <= 256; cols += 32) {
    check_formed<blocks_of<256>, double>(on, *on.machine, "random", 1024, cols);
    check_formed<blocks_of<256>, float>(on, *on.machine, "random", 602, cols - 5);
  }
  check_formed<blocks_of<256>, double>(on, *on.machine, "random", 256, 256);
  check_formed<blocks_of<256>, double>(on, *on.machine, "random", 1031, 229);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(q_of_every_family_is_that_of_the_identity, Engine, engines) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (family const& one : families()) {
      check_formed<Engine, double>(on, machine, std::string(one.name), 150, 60);
      check_formed<Engine, double>(on, machine, std::string(one.name), 60, 90);
      check_formed<Engine, float>(on, machine, std::string(one.name), 96, 96);
    }
    std::string const conditioned(conditioned_family);
    for (double const condition : {1.0, 1e8, 1e16}) {
      check_formed<Engine, double>(on, machine, conditioned, 170, 70, 0, condition);
      check_formed<Engine, float>(on, machine, conditioned, 170, 70, 0, condition);
    }
  });
}

BOOST_AUTO_TEST_CASE(q_may_begin_where_a_sum_of_doubles_may_not) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const a = make_matrix<float>("random", 200, 70, 7);
    reflected<resident, float> const of(on, machine, a, 200, 70);
    std::vector<float> const q = formed(on, machine, of);
    BOOST_TEST((formed(on, machine, of, form_by::two_passes, 1) == q));
  });
}

BOOST_AUTO_TEST_CASE(the_way_is_chosen_by_the_shape) {
  test_machine const& on = test_machines().back();
  auto const is_tall = [&](std::int64_t rows, std::int64_t cols) {
    return panels::q_former<double>(*on.machine, rows, cols, {.blocks = 2}).is_tall();
  };
  BOOST_TEST(is_tall(640, 80));
  BOOST_TEST(is_tall(80, 900));
  BOOST_TEST(is_tall(256, 256));
  BOOST_TEST(!is_tall(3000, 257));
}

BOOST_AUTO_TEST_CASE(r_is_copied_without_the_reflectors_below_it) {
  on_each_machine([](test_machine const&, device& machine) {
    for (auto const& [rows, cols] : shapes{{7, 4}, {4, 7}}) {
      std::int64_t const least = std::min(rows, cols);
      std::vector<float> values(static_cast<std::size_t>(3 * rows * cols));
      for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at + 1);
      buffer<float> const matrices = machine.allocate_copy(values);
      buffer<float> const r = machine.allocate<float>(static_cast<std::size_t>(3 * least * cols));
      take_r<float>(machine, matrices.data(), rows, cols, 3, r.data());
      auto const found = machine.copy_to_host(r);
      for (std::int64_t col = 0; col < 3 * cols; ++col)
        for (std::int64_t row = 0; row < least; ++row)
          BOOST_TEST(
              found[static_cast<std::size_t>(col * least + row)] ==
              (row <= col % cols ? values[static_cast<std::size_t>(col * rows + row)] : 0.0F));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
