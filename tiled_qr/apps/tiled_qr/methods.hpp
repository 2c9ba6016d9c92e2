#pragma once
// The methods of the program: published ones, rivals, and what goes beyond.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

/// One way to factorise.
struct method {
  std::string_view name;
  std::string_view what;
  /// Tiled, and by whom scheduled; empty for methods that take the matrix as a whole.
  std::optional<scheduling> how{};
  /// Runs on the host whatever the machine is.
  bool on_host = false;
  /// A rival that is known to lose its accuracy on some inputs: shown, and no failure.
  bool as_it_is = false;
};

/// Published ones first.
[[nodiscard]] std::span<method const> methods();

/// The one of that name. Throws usage_error that lists all.
[[nodiscard]] method const& method_of(std::string const& name);

/// Whether a method makes panels of reflectors, from which q_former forms Q.
[[nodiscard]] bool is_of_panels(std::string_view method);

/// By whom a method's tasks on tiles are scheduled; nothing for one that takes the matrix as a whole.
[[nodiscard]] std::optional<scheduling> scheduling_of(std::string const& method);

}  // namespace gridloom::tiled_qr
