#include "gridloom/bench/column.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "gridloom/bench/measured.hpp"

BOOST_AUTO_TEST_SUITE(column_test)

using namespace gridloom;

namespace {

struct row {
  std::string name;
  std::uint32_t tasks = 0;
  bool counts = false;
  double ratio = 0;
  std::optional<int> optimum{};
  std::optional<double> slope{};
  std::optional<std::string> note{};
};

bench::schema<row> fields() {
  return {{"name", "", "a text", &row::name},
          {"tasks", "1", "a whole number", &row::tasks},
          {"counts", "1", "a flag", &row::counts},
          {"ratio", "1", "a real", &row::ratio},
          {"optimum", "1", "may be missing", &row::optimum},
          {"slope", "1", "may be missing", &row::slope},
          {"note", "", "may be missing", &row::note},
          {"twice", "1", "of a function", [](row const& r) { return 2.0 * r.ratio; }},
          {"per_task_ns", "ns", "of a row and its times",
           [](row const& r, bench::measured const& m) { return m.elapsed_ms * 1e6 / r.tasks; }}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_column_has_the_type_of_its_projection) {
  bench::table<row> const all("runs", fields());
  std::vector<column_type> types;
  for (column const& one : all.contents().columns()) types.push_back(one.type);
  using enum column_type;
  std::vector<column_type> const expected{text, integer, integer, real, integer,
                                          real, text,    real,    real};
  BOOST_TEST((types == expected));
  BOOST_TEST(all.contents().columns()[8].unit == "ns");
  BOOST_TEST(all.contents().columns()[1].description == "a whole number");
}

BOOST_AUTO_TEST_CASE(rows_fill_their_columns) {
  bench::table<row> all("runs", fields());
  bench::measured times;
  times.elapsed_ms = 3;
  all.add({"a", 4, true, 1.5, 7, 0.5, "n"}, times);
  auto const& found = all.contents();
  BOOST_TEST(found.texts("name")[0] == "a");
  BOOST_TEST(found.integers("tasks")[0] == 4);
  BOOST_TEST(found.integers("counts")[0] == 1);
  BOOST_TEST(found.integers("optimum")[0] == 7);
  BOOST_TEST(found.texts("note")[0] == "n");
  BOOST_TEST(found.reals("twice")[0] == 3.0);
  BOOST_TEST(found.reals("per_task_ns")[0] == 750000.0);
}

BOOST_AUTO_TEST_CASE(missing_values_are_stored_by_one_rule) {
  bench::table<row> all("runs", fields());
  all.add({});
  BOOST_TEST(all.contents().integers("optimum")[0] == -1);
  BOOST_TEST(std::isnan(all.contents().reals("slope")[0]));
  BOOST_TEST(all.contents().texts("note")[0].empty());
}

BOOST_AUTO_TEST_SUITE_END()
