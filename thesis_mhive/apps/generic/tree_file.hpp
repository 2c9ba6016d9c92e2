#pragma once
// Execution trees as text, with one definition per line:
//
//   # a comment, which may also follow a definition
//   task NAME flops=1000 worker=32 phase=0
//   edge FROM TO probability=0.5
//
// `flops` (a whole number) and `worker` (1, 32, 64 or 256 threads) must be given. The default of
// `phase` (0 to 7) is 0, that of `probability` is 1. An edge comes after the tasks that it joins,
// as in the thesis (7.1).

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "execution_tree.hpp"

namespace gridloom::mhive::generic {

// Even a tree of the largest size with long comments takes a tenth of this.
inline constexpr std::size_t longest_tree_bytes = std::size_t{1} << 17U;
inline constexpr std::size_t longest_tree_line_bytes = 1024;

/// Reads a tree and numbers it in topological order. `name` stands for the file in messages. Throws
/// usage_error "name:line: expected ..., got ...".
[[nodiscard]] execution_tree parse_tree(std::string_view text, std::string_view name);

/// Reads the tree from a regular file. Throws usage_error that names the file.
[[nodiscard]] execution_tree read_tree(std::filesystem::path const& path);

/// A tree that comes with the program: its name on the command line and its text.
struct preset {
  std::string_view name;
  std::string_view text;
};

/// The files of the folder presets/, which are built into the program.
[[nodiscard]] std::vector<preset> const& presets();

/// Returns the preset of this name. Throws usage_error that names `option` and the choices.
[[nodiscard]] execution_tree preset_tree(std::string_view option, std::string_view name);

}  // namespace gridloom::mhive::generic
