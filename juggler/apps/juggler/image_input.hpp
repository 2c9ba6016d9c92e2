#pragma once
// The image that sat and int_hist work on.

#include <cstdint>
#include <memory>
#include <string>

#include "apps/grid/image.hpp"
#include "gridloom/bench/program.hpp"

namespace gridloom::juggler {

struct subject;

/// As inputs, of which it is a part. Subjects of other applications are left as they are.
class image_input {
 public:
  void add_options(bench::program& app);
  void read(bench::program& app, bool has_image_app);
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  void describe(subject& what) const;
  /// Throws usage_error where the image's sums do not fit `sat`.
  void make(subject& what, std::uint64_t seed) const;

 private:
  std::string file_;
  std::shared_ptr<grey_image const> image_;
};

}  // namespace gridloom::juggler
