// Makes matrices from specs. The text becomes a tree of generators and unions. The size of the tree
// is checked before any matrix is made.

#include "gridloom/sparse/generate.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "generators.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::sparse {
namespace {

constexpr int deepest_union = 16;
constexpr std::int64_t most_copies = 1'000'000;
constexpr std::string_view common_keys = "seed=1,shuffle=0";
constexpr std::string_view union_name = "union";

// A generator, or a union if `entry` is null.
struct spec_node {
  generator_entry const* entry = nullptr;
  generator_arguments arguments;
  std::vector<spec_node> parts;
  std::uint64_t copies = 1;
  std::uint64_t seed = 1;
  bool shuffle = false;
  extent size = {};
  // Peak memory while the matrix is being made.
  std::uint64_t peak_bytes = 0;
};

std::vector<generator_entry> all_generators() {
  std::vector<generator_entry> all;
  for (auto const part :
       {grid_generators(), system_generators(), graph_generators(), random_generators()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::vector<generator_entry> const& generators() {
  static std::vector<generator_entry> const all = all_generators();
  return all;
}

generator_entry const& find_generator(std::string_view name) {
  std::vector<std::string> names;
  for (generator_entry const& entry : generators()) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  names.emplace_back(union_name);
  (void)parse_choice("generator", name, names);
  throw std::invalid_argument("a generator without an entry");
}

[[noreturn]] void refuse_spec(std::string const& expected, std::string_view text) {
  throw usage_error("generator: expected " + expected + ", got " + in_quotes(text));
}

void require_balanced(std::string_view text) {
  std::uint64_t open = 0;
  for (char const c : text) {
    if (c == ')' && open == 0) refuse_spec("a ( before each )", text);
    open += c == '(' ? 1U : 0U;
    open -= c == ')' ? 1U : 0U;
  }
  if (open > 0) refuse_spec("a ) behind each (", text);
}

// Calls see(position) for each `wanted` outside of parentheses. The text must be balanced.
template <typename See>
void for_each_outside(std::string_view text, char wanted, See see) {
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    open += text[i] == '(' ? 1U : 0U;
    open -= text[i] == ')' ? 1U : 0U;
    if (text[i] == wanted && open == 0) see(i);
  }
}

std::string with_common(std::string_view keys) {
  return std::string{keys} + (keys.empty() ? "" : ",") + std::string{common_keys};
}

// `tail` is the text after the name: nothing, or :KEY=VALUE,...
generator_arguments read_arguments(std::string_view name, std::string_view keys,
                                   std::string_view fixed, std::string_view tail) {
  if (tail == ":") throw usage_error(std::string{name} + ": expected KEY=VALUE, got \"\"");
  return {name, with_common(keys), fixed, tail.empty() ? tail : tail.substr(1)};
}

void read_common(spec_node& node) {
  constexpr std::uint64_t no = 0;
  constexpr std::uint64_t yes = 1;
  node.seed = node.arguments.word("seed");
  node.shuffle = node.arguments.whole("shuffle", no, yes) == yes;
  std::uint64_t const bytes = node.size.bytes();
  // Memory holds the matrix, its shuffled copy, the permutation and its inverse.
  if (node.shuffle) {
    node.peak_bytes = std::max(node.peak_bytes, plus(times(bytes, 2), times(node.size.rows, 16)));
  }
  require_fits(node.arguments.generator(), node.size.rows, std::max(node.peak_bytes, bytes));
}

spec_node read_spec(std::string_view text, int unions);

spec_node read_part(std::string_view text, int unions) {
  std::optional<std::size_t> star;
  for_each_outside(text, '*', [&](std::size_t at) { star = at; });
  spec_node part = read_spec(text.substr(0, star.value_or(text.size())), unions);
  if (star) {
    part.copies = static_cast<std::uint64_t>(
        parse_int("union: copies", text.substr(*star + 1), 1, most_copies));
  }
  return part;
}

// `text` must begin with "union(" and be balanced.
spec_node read_union(std::string_view text, int unions) {
  std::size_t close = 0;
  for_each_outside(text, ')', [&](std::size_t at) { close = close == 0 ? at : close; });
  std::string_view const inside = text.substr(union_name.size() + 1);
  std::string_view const items = inside.substr(0, close - union_name.size() - 1);
  std::string_view const tail = text.substr(close + 1);
  if (!tail.empty() && tail.front() != ':') {
    throw usage_error("union: expected nothing or :KEY=VALUE,... behind the ), got " +
                      in_quotes(tail));
  }
  if (unions >= deepest_union) {
    throw usage_error("union: expected at most " + std::to_string(deepest_union) +
                      " unions in one another, got more");
  }
  spec_node node{nullptr, read_arguments(union_name, "", "", tail), {}};
  std::size_t start = 0;
  auto const take = [&](std::size_t end) {
    node.parts.push_back(read_part(items.substr(start, end - start), unions + 1));
    start = end + 1;
  };
  for_each_outside(items, ';', take);
  take(items.size());

  std::uint64_t held = 0;
  std::uint64_t peak = 0;
  for (spec_node const& part : node.parts) {
    node.size.rows = plus(node.size.rows, times(part.size.rows, part.copies));
    node.size.entries = plus(node.size.entries, times(part.size.entries, part.copies));
    node.size.has_values = node.size.has_values || part.size.has_values;
    peak = std::max(peak, part.peak_bytes);
    held = plus(held, times(part.copies, sizeof(csr_matrix<double>)));
  }
  // All parts are in memory while the last part is made, and also while the union is made.
  held = plus(held, node.size.bytes());
  node.peak_bytes = plus(held, std::max(peak, node.size.bytes()));
  read_common(node);
  return node;
}

spec_node read_spec(std::string_view text, int unions) {
  if (text.empty()) refuse_spec("NAME, NAME:KEY=VALUE,... or union(A;B*3;...)", text);
  if (text.starts_with("union(")) return read_union(text, unions);
  std::string_view const name = text.substr(0, text.find(':'));
  if (name == union_name) refuse_spec("union(A;B*3;...)", text);
  generator_entry const& entry = find_generator(name);
  spec_node node{
      &entry, read_arguments(name, entry.keys, entry.fixed, text.substr(name.size())), {}};
  node.size = entry.measure(node.arguments);
  node.peak_bytes = plus(node.size.bytes(), node.size.scratch_bytes);
  read_common(node);
  return node;
}

csr_matrix<double> with_ones(any_csr matrix) {
  if (auto* values = std::get_if<csr_matrix<double>>(&matrix)) return std::move(*values);
  auto& pattern = std::get<csr_matrix<no_value>>(matrix);
  std::vector<double> ones(pattern.num_entries(), 1.0);
  return {pattern.num_rows, pattern.num_cols, std::move(pattern.row_offsets),
          std::move(pattern.columns), std::move(ones)};
}

any_csr make(spec_node const& node);

template <matrix_value Value>
csr_matrix<Value> make_union(std::vector<spec_node> const& nodes) {
  std::vector<csr_matrix<Value>> parts;
  for (spec_node const& node : nodes) {
    any_csr part = make(node);
    if constexpr (has_values<Value>) {
      parts.push_back(with_ones(std::move(part)));
    } else {
      parts.push_back(std::move(std::get<csr_matrix<Value>>(part)));
    }
    for (std::uint64_t copy = 1; copy < node.copies; ++copy) parts.push_back(parts.back());
  }
  return block_diagonal(std::span<csr_matrix<Value> const>{parts});
}

any_csr shuffled(any_csr const& matrix, std::uint64_t seed) {
  // The random sequence must differ from the one that the generator uses.
  random_source source{random_source{~seed}.next()};
  return std::visit(
      [&](auto const& rows) -> any_csr {
        std::vector<std::size_t> const wide = random_permutation(rows.num_rows, source);
        std::vector<std::uint32_t> const order(wide.begin(), wide.end());
        return permute(rows, std::span<std::uint32_t const>{order});
      },
      matrix);
}

any_csr make(spec_node const& node) {
  any_csr matrix;
  if (node.entry != nullptr) {
    matrix = node.entry->make(node.arguments, node.seed);
  } else if (node.size.has_values) {
    matrix = make_union<double>(node.parts);
  } else {
    matrix = make_union<no_value>(node.parts);
  }
  if (node.shuffle) return shuffled(matrix, node.seed);
  return matrix;
}

}  // namespace

any_csr generate(std::string_view spec) {
  require_balanced(spec);
  spec_node const node = read_spec(spec, 0);
  try {
    return make(node);
  } catch (std::bad_alloc const&) {
    throw usage_error(node.arguments.generator() +
                      ": expected a matrix that fits into memory, got " + in_quotes(spec));
  }
}

std::vector<generator_help> list_generators() {
  std::vector<generator_help> list;
  for (generator_entry const& entry : generators()) {
    list.push_back({std::string{entry.name}, std::string{entry.keys}, std::string{entry.what}});
  }
  list.push_back({std::string{union_name}, "",
                  "union(A;B*3;...): matrices along the diagonal, here B three times."});
  return list;
}

}  // namespace gridloom::sparse
