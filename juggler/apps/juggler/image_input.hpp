#pragma once
// The image of sat and int_hist.

#include <cstdint>
#include <memory>
#include <string>

#include "apps/grid/image.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::juggler {

struct subject;

/// A part of class inputs, with the same members. Leaves subjects of other applications as they
/// are.
class image_input {
 public:
  void add_options(bench::program& app);
  void read(bench::program& app, bool has_image_app);
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  void describe(subject& what) const;
  /// Throws usage_error if the image's sums do not fit `sat`.
  void make(subject& what, std::uint64_t seed) const;

 private:
  std::string file_;
  std::shared_ptr<grey_image const> image_;
};

}  // namespace gridloom::juggler
