#pragma once
// Helpers for tests of matrix files.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <variant>

#include "gridloom/sparse/csr_file.hpp"

namespace gridloom::test {

/// 2 x 3, with entries (0,0) (0,2) (1,1).
inline sparse::csr_matrix<double> const sample{2, 3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};

/// Reads a matrix. Fails the test if the file has values of another type.
template <typename Value>
sparse::csr_matrix<Value> read_back(std::filesystem::path const& path) {
  sparse::any_csr const read = sparse::read_csr(path);
  BOOST_REQUIRE(std::holds_alternative<sparse::csr_matrix<Value>>(read));
  return std::get<sparse::csr_matrix<Value>>(read);
}

}  // namespace gridloom::test
