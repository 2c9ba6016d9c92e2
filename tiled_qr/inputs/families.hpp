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

/// A column-major m × n matrix without gaps. Throws usage_error for a name that is none.
template <class T>
std::vector<T> make_matrix(std::string_view name, std::int64_t rows, std::int64_t cols,
                           std::uint64_t seed, double condition = usual_condition);

/// Throws usage_error with the place of the first NaN or infinity; `source` begins the message.
template <class T>
void require_finite(std::span<T const> values, std::int64_t rows, std::string const& source);

}  // namespace gridloom::tiled_qr
