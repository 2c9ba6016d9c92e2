#include "gridloom/bench/results.hpp"

#include <H5Cpp.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "gridloom/error.hpp"
#include "read_results.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(results_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

run_meta meta_of(std::string const& program) {
  run_meta meta;
  meta.set("schema_version", std::string{results_schema_version});
  meta.set("program", program);
  meta.set("gpu", "");
  meta.set("cpu", "Größe ≥ 1 µm");
  return meta;
}

std::vector<column> const run_columns{
    {"arm", column_type::text, "", "Which queue."},
    {"repetition", column_type::integer, "1", "Counted from 0."},
    {"elapsed_ms", column_type::real, "ms", "Time of the launch."}};

result_table runs_of(std::int64_t count) {
  result_table table{"runs", run_columns};
  for (std::int64_t i = 0; i < count; ++i) {
    table.add_row({"arm " + std::to_string(i), i, 0.5 * static_cast<double>(i)});
  }
  return table;
}

void write(std::filesystem::path const& path, std::vector<result_table> const& tables,
           write_mode mode = write_mode::replace, std::string const& program = "wavefront") {
  write_results(path, meta_of(program), tables, mode);
}

std::string refused_append(std::filesystem::path const& path, result_table const& table,
                           run_meta const& meta = meta_of("wavefront")) {
  std::array const tables{table};
  std::string const early =
      message_of<usage_error>([&] { require_appendable(path, meta, tables); });
  std::string const late =
      message_of<usage_error>([&] { write_results(path, meta, tables, write_mode::append); });
  BOOST_TEST(early == late);
  return late;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_types_come_back_as_written) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  result_table table{"runs", run_columns};
  table.add_row({"ring — größer 環", std::numeric_limits<std::int64_t>::min(), 0.1});
  table.add_row({"", 0, std::numeric_limits<double>::infinity()});
  table.add_row({"x", std::numeric_limits<std::int64_t>::max(), std::nan("")});
  write(path, {table});

  result_table const read = read_table(path, "runs");
  BOOST_TEST(read.rows() == 3U);
  BOOST_TEST(read.texts("arm") == table.texts("arm"), per_element());
  BOOST_TEST(read.integers("repetition") == table.integers("repetition"), per_element());
  BOOST_TEST(read.reals("elapsed_ms")[0] == 0.1);
  BOOST_TEST(std::isinf(read.reals("elapsed_ms")[1]));
  BOOST_TEST(std::isnan(read.reals("elapsed_ms")[2]));
  BOOST_TEST(read.columns()[2].name == "elapsed_ms");
  BOOST_TEST(read.columns()[2].unit == "ms");
  BOOST_TEST(read.columns()[2].description == "Time of the launch.");
  BOOST_TEST(read.columns()[3].name == "process");

  run_meta const meta = read_meta(path);
  BOOST_TEST(meta.get("program").value() == "wavefront");
  BOOST_TEST(meta.get("gpu").value() == "");
  BOOST_TEST(meta.get("cpu").value() == "Größe ≥ 1 µm");
  BOOST_TEST(folder.names().size() == 1U);
}

BOOST_AUTO_TEST_CASE(tables_of_any_length_come_back) {
  scratch_folder const folder;
  for (std::int64_t const rows : {0, 1, 1023, 1024, 1025, 70000}) {
    write(folder / "out.h5", {runs_of(rows)});
    result_table const read = read_table(folder / "out.h5", "runs");
    BOOST_TEST(read.rows() == static_cast<std::size_t>(rows));
    if (rows > 0) {
      BOOST_TEST(read.texts("arm").back() == "arm " + std::to_string(rows - 1));
      BOOST_TEST(read.integers("repetition").back() == rows - 1);
    }
  }
  write(folder / "out.h5", {result_table{"series", {}}});
  BOOST_TEST(read_table(folder / "out.h5", "series").columns().empty());
}

BOOST_AUTO_TEST_CASE(replace_leaves_nothing_of_the_old_file) {
  scratch_folder const folder;
  write(folder / "out.h5", {runs_of(5), result_table{"series", run_columns}});
  write(folder / "out.h5", {runs_of(2)});
  BOOST_TEST(read_table(folder / "out.h5", "runs").rows() == 2U);
  BOOST_TEST(message_of<usage_error>([&] { (void)read_table(folder / "out.h5", "series"); }) ==
             (folder / "out.h5").string() + ": /series: expected a table");
}

BOOST_AUTO_TEST_CASE(append_adds_rows_and_the_meta_of_each_process) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  // Appending to an absent file creates it.
  write(path, {runs_of(2)}, write_mode::append);
  write(path, {runs_of(3)}, write_mode::append);
  run_meta third = meta_of("wavefront");
  third.set("gpu", "another");
  result_table series{"series", {{"t_ms", column_type::real, "ms", ""}}};
  series.add_row({1.5});
  write_results(path, third, std::array{runs_of(1), series}, write_mode::append);

  result_table const read = read_table(path, "runs");
  BOOST_TEST(read.integers("process") == (std::vector<std::int64_t>{0, 0, 1, 1, 1, 2}),
             per_element());
  BOOST_TEST(read.integers("repetition") == (std::vector<std::int64_t>{0, 1, 0, 1, 2, 0}),
             per_element());
  BOOST_TEST(read.texts("arm")[4] == "arm 2");
  BOOST_TEST(read_table(path, "series").reals("t_ms")[0] == 1.5);
  BOOST_TEST(count_processes(path) == 3U);
  BOOST_TEST(read_meta(path, 0).get("gpu").value() == "");
  BOOST_TEST(read_meta(path, 2).get("gpu").value() == "another");
}

BOOST_AUTO_TEST_CASE(append_refuses_another_schema_program_or_table_and_says_which) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, {runs_of(2)});
  std::string const before = path.string() + ": ";
  std::string const after = "; cannot append, use another file";

  run_meta other = meta_of("wavefront");
  other.set("schema_version", "0");
  BOOST_TEST(refused_append(path, runs_of(1), other) ==
             before + "schema_version is \"2\" in the file, but \"0\" in this program" + after);
  BOOST_TEST(refused_append(path, runs_of(1), meta_of("pets")) ==
             before + "program is \"wavefront\" in the file, but \"pets\" in this program" + after);

  std::vector<std::pair<std::string, std::function<void(std::vector<column>&)>>> const cases{
      {"column \"elapsed_ms\" is real in the file, but integer in this program",
       [](auto& columns) { columns[2].type = column_type::integer; }},
      {"column \"elapsed_ms\" is in \"ms\" in the file, in \"s\" in this program",
       [](auto& columns) { columns[2].unit = "s"; }},
      {"has no column \"hops\"",
       [](auto& columns) {
         columns.push_back({"hops", column_type::integer, "1", ""});
       }},
      {"has a column \"elapsed_ms\" that this program lacks",
       [](auto& columns) { columns.pop_back(); }}};
  for (auto const& [message, change] : cases) {
    auto columns = run_columns;
    change(columns);
    BOOST_TEST(refused_append(path, result_table{"runs", columns}) ==
               before + "/runs: " + message + after);
  }

  BOOST_TEST(read_table(path, "runs").rows() == 2U);
  BOOST_TEST(count_processes(path) == 1U);
  BOOST_TEST(folder.names().size() == 1U);
}

BOOST_AUTO_TEST_CASE(texts_of_any_length_come_back) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  std::vector<column> const columns{{"arm", column_type::text, "", "Größe"}};
  std::vector<std::string> expected;
  for (std::size_t const bytes : {0U, 3U, 70'000U, 2'000'000U}) {
    result_table table{"runs", columns};
    for (std::string const& text : {std::string(bytes, 'x'), std::string{"ä"}, std::string{}}) {
      table.add_row({text});
      expected.push_back(text);
    }
    run_meta meta = meta_of("wavefront");
    meta.set("argv", std::string(bytes, 'y'));
    write_results(path, meta, std::array{table}, write_mode::append);
    BOOST_TEST(read_table(path, "runs").texts("arm") == expected, per_element());
    BOOST_TEST(read_meta(path, count_processes(path) - 1).get("argv").value().size() == bytes);
  }
}

BOOST_AUTO_TEST_CASE(append_finds_columns_by_name) {
  scratch_folder const folder;
  write(folder / "out.h5", {runs_of(1)});
  result_table turned{"runs", {run_columns[2], run_columns[0], run_columns[1]}};
  turned.add_row({9.5, "turned", 4});
  write(folder / "out.h5", {turned}, write_mode::append);
  result_table const read = read_table(folder / "out.h5", "runs");
  BOOST_TEST(read.texts("arm")[1] == "turned");
  BOOST_TEST(read.reals("elapsed_ms")[1] == 9.5);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_are_checked) {
  result_table table{"runs", run_columns};
  auto const refused = [&](std::vector<cell> row) {
    return message_of<std::invalid_argument>([&] { table.add_row(std::move(row)); });
  };
  BOOST_TEST(refused({"x", 1}) == "table \"runs\": expected 3 cells in a row, got 2");
  BOOST_TEST(refused({"x", 1, 2}) ==
             "table \"runs\", column \"elapsed_ms\": expected real, got integer");
  BOOST_TEST(refused({std::string("a\0b", 3), 1, 2.0}) ==
             "table \"runs\", column \"arm\": expected text without NUL");
  BOOST_TEST(table.rows() == 0U);
  BOOST_TEST(table.texts("arm").empty());
  BOOST_CHECK_THROW((void)table.reals("arm"), std::invalid_argument);
  BOOST_CHECK_THROW((void)table.reals("nothing"), std::invalid_argument);
  BOOST_CHECK_THROW((result_table{"a/b", {}}), std::invalid_argument);
  BOOST_CHECK_THROW((result_table{"meta", {}}), std::invalid_argument);
  BOOST_CHECK_THROW((result_table{"t", {run_columns[0], run_columns[0]}}), std::invalid_argument);
  scratch_folder const folder;
  BOOST_CHECK_THROW(write(folder / "x.h5", {runs_of(1), runs_of(1)}), std::invalid_argument);
  result_table const taken{"runs", {{"process", column_type::integer, "1", ""}}};
  BOOST_CHECK_THROW(write(folder / "x.h5", {taken}), std::invalid_argument);
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(other_files_are_refused_in_one_line) {
  scratch_folder const folder;
  auto const path = folder / "in.h5";
  auto const refused_table = [](std::filesystem::path const& file) {
    return message_of<usage_error>([&] { (void)read_table(file, "runs"); });
  };
  BOOST_TEST(refused_table(path) == path.string() + ": cannot read: No such file or directory");
  write_text(path, "");
  BOOST_TEST(refused_table(path) == path.string() + ": expected an HDF5 file");
  write_text(path, "text\n");
  BOOST_TEST(refused_table(path) == path.string() + ": expected an HDF5 file");
  BOOST_TEST(
      contains(message_of<usage_error>([&] { write(path, {runs_of(1)}, write_mode::append); }),
               ": has no checksum"));
  BOOST_TEST(read_text(path) == "text\n");
  BOOST_TEST(contains(refused_table(folder.path()), "expected a regular file"));
  { H5::H5File const empty{path.string(), H5F_ACC_TRUNC}; }
  BOOST_TEST(message_of<usage_error>([&] { (void)read_meta(path); }) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
  BOOST_TEST(refused_table(path) ==
             path.string() + ": expected a Gridloom results file with a group /meta");
}

BOOST_AUTO_TEST_CASE(results_without_a_checksum_are_read_but_not_added_to) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, {runs_of(3)});
  { (void)H5::H5File{path.string(), H5F_ACC_RDWR}.createGroup("more"); }
  std::string const before = read_text(path);
  BOOST_TEST(read_table(path, "runs").rows() == 3U);
  BOOST_TEST(
      contains(message_of<usage_error>([&] { write(path, {runs_of(1)}, write_mode::append); }),
               ": has no checksum, so another program or an older version wrote it"));
  BOOST_TEST((read_text(path) == before));
}

BOOST_AUTO_TEST_CASE(an_append_keeps_what_it_does_not_know) {
  scratch_folder const folder;
  auto const path = folder / "out.h5";
  write(path, {runs_of(3)});
  { (void)H5::H5File{path.string(), H5F_ACC_RDWR}.createGroup("more"); }
  std::vector<std::byte> bytes;
  for (char const byte : read_text(path)) bytes.push_back(static_cast<std::byte>(byte));
  add_checksum(bytes);
  write_text(path, {reinterpret_cast<char const*>(bytes.data()), bytes.size()});
  write(path, {runs_of(1)}, write_mode::append);
  BOOST_TEST(read_table(path, "runs").rows() == 4U);
  BOOST_TEST(has_checksum(path));
  BOOST_TEST((H5::H5File{path.string(), H5F_ACC_RDONLY}.nameExists("more")));
}

BOOST_AUTO_TEST_SUITE_END()
