#pragma once
// Families of test matrices, made from a seed. They are the same on all platforms, except for the
// last digit of values that use pow().

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom::tiled_qr {

struct family {
  std::string_view name;
  std::string_view what;
};

std::span<family const> families();

/// Name of the family whose condition number is a parameter.
inline constexpr std::string_view conditioned_family = "conditioned";
inline constexpr double usual_condition = 1e6;

/// Writes a column-major m × n matrix without gaps to `to`. Throws usage_error for an unknown name.
/// All threads make a family whose elements are independent. One thread makes any other family,
/// which needs a second copy in double. The values do not depend on the number of threads.
template <class T>
void fill_matrix(std::string_view name, std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                 double condition, std::span<T> to);

/// Makes the same matrix in a new vector.
template <class T>
std::vector<T> make_matrix(std::string_view name, std::int64_t rows, std::int64_t cols,
                           std::uint64_t seed, double condition = usual_condition);

/// Returns the largest absolute value. Throws usage_error with the place of the first NaN or
/// infinity; `source` begins the message.
template <class T>
T require_finite(std::span<T const> values, std::int64_t rows, std::string const& source);

}  // namespace gridloom::tiled_qr
