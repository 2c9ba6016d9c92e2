#pragma once
// A matrix and its factors tau in device memory.

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "tiled_qr/tile.hpp"

namespace gridloom::tiled_qr {

/// Largest tile that fits into the shared memory of the schedulers' kernels.
inline constexpr int largest_tile = 64;

/// Throws usage_error if a size is out of range, or if the matrix has too many tiles. `or_else` is
/// a further remedy for the message about too many tiles.
inline tiling make_tiling(std::int64_t rows, std::int64_t cols, int tile,
                          std::string const& or_else = "") {
  if (rows < 1) throw usage_error("--rows: expected at least 1, got " + std::to_string(rows));
  if (cols < 1) throw usage_error("--columns: expected at least 1, got " + std::to_string(cols));
  if (tile < 1 || tile > largest_tile) {
    throw usage_error("--tile: expected 1 to " + std::to_string(largest_tile) +
                      ", because a tile must fit into shared memory; got " + std::to_string(tile));
  }
  constexpr std::int64_t most_tiles = (std::int64_t{1} << 30U) - 1;
  auto const is_too_fine = [&](int size) {
    return (rows - 1) / size + 1 > most_tiles / ((cols - 1) / size + 1);
  };
  std::string const beyond = std::to_string(rows) + " x " + std::to_string(cols) +
                             " is more than the limit of " + std::to_string(most_tiles) + " tiles ";
  if (is_too_fine(largest_tile)) {
    bool const is_tall = rows >= cols;
    throw usage_error((is_tall ? "--rows: " : "--columns: ") + beyond +
                      "even with the largest --tile, " + std::to_string(largest_tile) +
                      "; expected fewer " + (is_tall ? "rows" : "columns") + or_else);
  }
  if (is_too_fine(tile)) {
    throw usage_error("--tile: " + beyond + "with " + std::to_string(tile) +
                      "; expected a larger one, up to " + std::to_string(largest_tile) + or_else);
  }
  return {rows, cols, tile};
}

/// Owner of a matrix on a device; its leading dimension is its number of rows. Used by one thread.
template <class T>
class device_matrix {
 public:
  device_matrix(device& machine, tiling const& cut)
      : machine_(&machine),
        cut_(cut),
        values_(machine.allocate<T>(static_cast<std::size_t>(cut.rows) *
                                    static_cast<std::size_t>(cut.cols))),
        taus_(machine.allocate<T>(cut.taus())) {}

  [[nodiscard]] tiling const& cut() const { return cut_; }
  [[nodiscard]] tiled_matrix_ref<T> ref() const {
    return {values_.data(), cut_.rows, taus_.data(), cut_};
  }
  [[nodiscard]] std::size_t bytes() const { return values_.bytes() + taus_.bytes(); }

  /// Copies column-major values without gaps to the device.
  void load(std::span<T const> values) {
    if (values.size() != values_.size()) {
      throw std::invalid_argument("expected " + std::to_string(values_.size()) + " values, got " +
                                  std::to_string(values.size()));
    }
    machine_->copy_to_device(values_, values);
  }
  /// Returns R and the vectors after a factorisation.
  [[nodiscard]] std::vector<T> fetch() const { return machine_->copy_to_host(values_); }

 private:
  device* machine_;
  tiling cut_;
  buffer<T> values_;
  buffer<T> taus_;
};

}  // namespace gridloom::tiled_qr
