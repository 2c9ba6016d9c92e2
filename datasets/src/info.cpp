#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <variant>
#include <vector>

#include "commands.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/json_text.hpp"
#include "gridloom/printable.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "gridloom/sparse/measures.hpp"

namespace gridloom::datasets {
namespace {

// A line of the report: the JSON key, a description for people, and the value in JSON.
struct fact {
  std::string key;
  std::string words;
  std::string value;
};

std::string quoted(std::string_view text) { return "\"" + std::string{text} + "\""; }

std::string decimal(double value) {
  std::ostringstream out;
  out << std::setprecision(6) << value;
  return out.str();
}

std::string_view name_of(sparse::symmetry symmetry) {
  switch (symmetry) {
    case sparse::symmetry::pattern: return "pattern";
    case sparse::symmetry::values: return "values";
    case sparse::symmetry::skew: return "skew";
    default: return "none";
  }
}

template <sparse::matrix_value Value>
std::string_view value_type() {
  if constexpr (std::same_as<Value, float>) return "float";
  if constexpr (std::same_as<Value, double>) return "double";
  return "none";
}

template <sparse::matrix_value Value>
void add_square_facts(sparse::csr_matrix<Value> const& matrix, std::vector<fact>& facts) {
  sparse::components const parts = sparse::components_of(matrix);
  auto const isolated = std::count(parts.sizes.begin(), parts.sizes.end(), 1U);
  sparse::diagonal_entries const diagonal = sparse::diagonal_of(matrix);
  facts.insert(facts.end(),
               {{"components", "connected components", std::to_string(parts.count())},
                {"isolated_vertices", "  with a single row", std::to_string(isolated)},
                {"symmetry", "symmetry", quoted(name_of(sparse::symmetry_of(matrix)))},
                {"diagonal_stored", "diagonal entries", std::to_string(diagonal.stored)},
                {"diagonal_zero", "  with value 0", std::to_string(diagonal.zero)}});
}

template <sparse::matrix_value Value>
std::vector<fact> facts_of(sparse::csr_matrix<Value> const& matrix) {
  sparse::band const band = sparse::band_of(matrix);
  sparse::row_lengths const lengths = sparse::row_lengths_of(matrix);
  std::vector<fact> facts{{"num_rows", "rows", std::to_string(matrix.num_rows)},
                          {"num_cols", "columns", std::to_string(matrix.num_cols)},
                          {"entries", "stored entries", std::to_string(matrix.num_entries())},
                          {"value_type", "values", quoted(value_type<Value>())},
                          {"lower_bandwidth", "lower bandwidth", std::to_string(band.lower)},
                          {"upper_bandwidth", "upper bandwidth", std::to_string(band.upper)},
                          {"half_bandwidth", "half-bandwidth", std::to_string(band.half())},
                          {"thesis_bandwidth", "bandwidth (thesis, Eq. 8.1)",
                           std::to_string(sparse::thesis_bandwidth(matrix))},
                          {"profile", "profile", std::to_string(sparse::profile(matrix))},
                          {"shortest_row", "shortest row", std::to_string(lengths.shortest)},
                          {"longest_row", "longest row", std::to_string(lengths.longest)},
                          {"average_row", "average row", decimal(lengths.average)},
                          {"bytes", "bytes in CSR form", std::to_string(matrix.bytes())}};
  // Only square matrices have a diagonal and the components of a graph.
  if (matrix.is_square()) add_square_facts(matrix, facts);
  return facts;
}

// The provenance of an input, if it has any.
using known_provenance = std::optional<sparse::provenance>;

void print_json(std::vector<fact> const& facts, known_provenance const& about) {
  char const* separator = "{";
  for (fact const& each : facts) {
    std::cout << separator << quoted(each.key) << ": " << each.value;
    separator = ", ";
  }
  if (about) {
    std::cout << ", \"provenance\": {";
    separator = "";
    for (auto const& [name, text] : *about) {
      std::cout << separator << json_text(name) << ": " << json_text(text);
      separator = ", ";
    }
    std::cout << "}";
  }
  std::cout << "}\n";
}

void print_line(std::string const& words, std::string const& value) {
  std::cout << std::left << std::setw(30) << words << value << "\n";
}

void print_lines(std::vector<fact> const& facts, known_provenance const& about) {
  for (fact const& each : facts) {
    std::string value = each.value;
    std::erase(value, '"');
    print_line(each.words, value);
  }
  if (!about) return;
  for (auto const& [name, text] : *about) {
    print_line("provenance: " + printable(name) + " ", printable(text));
  }
}

}  // namespace

int run_info(arguments const& given) {
  sparse::any_csr const input = take_input(given);
  known_provenance about;
  if (given.spec.empty() && sparse::is_csr_name(given.files.front())) {
    about = sparse::read_provenance(given.files.front());
  }
  auto const facts = std::visit([](auto const& matrix) { return facts_of(matrix); }, input);
  if (given.json) {
    print_json(facts, about);
  } else {
    print_lines(facts, about);
  }
  return exit_done;
}

}  // namespace gridloom::datasets
