#include "gridloom/bench/inputs.hpp"

#include <filesystem>

#include "gridloom/error.hpp"
#include "gridloom/sparse/generate.hpp"

namespace gridloom::bench {

void matrix_input::add_to(program& frame) {
  frame.options()("matrix", text_option(file, "FILE"),
                  "file with the matrix: Matrix Market or HDF5")(
      "generate", text_option(spec, "SPEC"), "matrix to generate, see gridloom-matrix --list");
}

void matrix_input::check(program& frame) const {
  if (file.empty() == spec.empty()) {
    throw usage_error("--matrix, --generate: expected exactly one of these options");
  }
  frame.input("matrix", file);
}

std::string matrix_input::name() const {
  return file.empty() ? spec : std::filesystem::path(file).filename().string();
}

sparse::any_csr matrix_input::read() const {
  if (!file.empty()) return sparse::read_matrix(file);
  try {
    return sparse::generate(spec);
  } catch (usage_error const& error) {
    throw usage_error(std::string("--generate: ") + error.what());
  }
}

void graph_input::add_to(program& frame, std::string const& text) {
  frame.options()("graph", text_option(file, "FILE.h5"), text.c_str());
}

void graph_input::check(program& frame) const { frame.input("graph", file); }

}  // namespace gridloom::bench
