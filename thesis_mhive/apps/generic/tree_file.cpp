#include "tree_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::generic {
namespace {

[[noreturn]] void refuse(std::string const& place, std::string const& message) {
  throw usage_error(place + ": " + message);
}

// Returns the words of a definition, without its comment. A '\r' before the line end counts as a
// blank.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (std::size_t end = 0;;) {
    std::size_t const begin = line.find_first_not_of(blanks, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
  }
}

// The key=value words of a definition.
class settings {
 public:
  settings(std::string const& place, std::span<std::string_view const> words,
           std::span<std::string_view const> keys)
      : place_{place} {
    for (std::string_view const word : words) {
      std::string_view const key = word.substr(0, word.find('='));
      if (key.size() == word.size() || std::find(keys.begin(), keys.end(), key) == keys.end()) {
        std::string choices;
        for (std::string_view const choice : keys) {
          choices += (choices.empty() ? "" : ", ") + std::string{choice} + "=";
        }
        refuse(place, "expected one of " + choices + ", got " + in_quotes(word));
      }
      if (find(key) != nullptr) refuse(place, "expected each key once, got " + in_quotes(word));
      values_.emplace_back(key, word.substr(key.size() + 1));
    }
  }

  [[nodiscard]] std::int64_t whole(std::string_view key, std::int64_t min, std::int64_t max) const {
    std::string_view const* const value = find(key);
    if (value == nullptr) {
      refuse(place_, "expected " + std::string{key} + "=..., got a task without it");
    }
    return parse_int(option(key), *value, min, max);
  }

  [[nodiscard]] std::int64_t whole_or(std::int64_t otherwise, std::string_view key,
                                      std::int64_t max) const {
    return find(key) == nullptr ? otherwise : whole(key, 0, max);
  }

  [[nodiscard]] double real_or(double otherwise, std::string_view key) const {
    std::string_view const* const value = find(key);
    if (value == nullptr) return otherwise;
    return parse_real(option(key), *value, std::numeric_limits<double>::lowest());
  }

 private:
  [[nodiscard]] std::string_view const* find(std::string_view key) const {
    for (auto const& [known, value] : values_) {
      if (known == key) return &value;
    }
    return nullptr;
  }

  [[nodiscard]] std::string option(std::string_view key) const {
    return place_ + ": " + std::string{key};
  }

  std::string const& place_;
  std::vector<std::pair<std::string_view, std::string_view>> values_;
};

void add_task(execution_tree& tree, std::span<std::string_view const> words,
              std::string const& place) {
  static constexpr std::array<std::string_view, 3> keys{"flops", "worker", "phase"};
  if (words.size() < 2) refuse(place, "expected task NAME flops=... worker=..., got no name");
  settings const given{place, words.subspan(2), keys};
  task_definition task;
  task.name = words[1];
  task.flops = given.whole("flops", 0, most_flops);
  task.worker_size = static_cast<int>(given.whole("worker", 1, 256));
  task.phase = static_cast<int>(given.whole_or(0, "phase", most_phases - 1));
  tree.add_task(std::move(task), place);
}

void add_edge(execution_tree& tree, std::span<std::string_view const> words,
              std::string const& place) {
  static constexpr std::array<std::string_view, 1> keys{"probability"};
  if (words.size() < 3) {
    refuse(place, "expected edge FROM TO, got " + std::to_string(words.size() - 1) + " names");
  }
  settings const given{place, words.subspan(3), keys};
  tree.add_transition(words[1], words[2], given.real_or(1.0, "probability"), place);
}

void add_line(execution_tree& tree, std::string_view line, std::string const& place) {
  if (line.size() > longest_tree_line_bytes) {
    refuse(place, "expected lines of at most " + std::to_string(longest_tree_line_bytes) +
                      " bytes, got " + std::to_string(line.size()));
  }
  std::vector<std::string_view> const words = words_of(line);
  if (words.empty()) return;
  if (words[0] == "task") return add_task(tree, words, place);
  if (words[0] == "edge") return add_edge(tree, words, place);
  refuse(place, "expected task or edge, got " + in_quotes(words[0]));
}

void require_size(std::string_view name, std::uintmax_t bytes) {
  if (bytes <= longest_tree_bytes) return;
  refuse(std::string{name}, "expected a tree of at most " + std::to_string(longest_tree_bytes) +
                                " bytes, got " + std::to_string(bytes));
}

}  // namespace

execution_tree parse_tree(std::string_view text, std::string_view name) {
  require_size(name, text.size());
  execution_tree tree;
  for (int number = 1; !text.empty(); ++number) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    add_line(tree, text.substr(0, end), std::string{name} + ":" + std::to_string(number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  // The tree has no cycle, so it has a root if it has any task type.
  if (tree.num_tasks() == 0) refuse(std::string{name}, "expected at least one task, got none");
  return in_topological_order(tree);
}

execution_tree read_tree(std::filesystem::path const& path) {
  std::string const name = path.string();
  input_file file{path};
  // Reading one byte more than allowed shows that a file is too long, even while it grows.
  std::string text(longest_tree_bytes + 1, '\0');
  text.resize(file.read(text.data(), text.size()));
  if (text.size() > longest_tree_bytes) {
    refuse(name,
           "expected a tree of at most " + std::to_string(longest_tree_bytes) + " bytes, got more");
  }
  return parse_tree(text, name);
}

execution_tree preset_tree(std::string_view option, std::string_view name) {
  std::vector<std::string> names;
  for (preset const& known : presets()) names.emplace_back(known.name);
  std::string const chosen = parse_choice(option, name, names);
  auto const found = std::find_if(presets().begin(), presets().end(),
                                  [&](preset const& known) { return known.name == chosen; });
  return parse_tree(found->text, "preset " + chosen);
}

}  // namespace gridloom::mhive::generic
