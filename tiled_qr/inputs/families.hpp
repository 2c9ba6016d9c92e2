#pragma once
// Families of matrices that a QR is tried on, made from a seed; the same on every platform up to the
// last digit of powers.

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

/// All families.
std::span<family const> families();

/// The one whose condition number is given.
inline constexpr std::string_view conditioned_family = "conditioned";
inline constexpr double usual_condition = 1e6;

/// A column-major m × n matrix without gaps into `to`, of m · n elements. Throws usage_error for a name
/// that is none. Families whose elements do not depend on each other are made by all threads, others
/// by one and in a second copy in double; the values do not depend on how many threads there are.
template <class T>
void fill_matrix(std::string_view name, std::int64_t rows, std::int64_t cols, std::uint64_t seed,
                 double condition, std::span<T> to);

/// The same.
template <class T>
std::vector<T> make_matrix(std::string_view name, std::int64_t rows, std::int64_t cols,
                           std::uint64_t seed, double condition = usual_condition);

/// The largest absolute value. Throws usage_error with the place of the first NaN or infinity;
/// `source` begins the message.
template <class T>
T require_finite(std::span<T const> values, std::int64_t rows, std::string const& source);

}  // namespace gridloom::tiled_qr
