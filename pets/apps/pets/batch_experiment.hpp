#pragma once
// Batches of small graphs, as parameter studies schedule them: on a device all at once, beside one
// host thread that takes them one by one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "gridloom/device.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"
#include "pets/device_batch.hpp"

namespace gridloom::pets {

/// `graphs` graphs of one specification, with the seeds from the common one on.
struct batch_request {
  std::string specification;
  std::uint32_t processors = 8;
  std::size_t graphs = 100'000;
  /// Of these, how many the serial arm takes: enough not to stay in any cache.
  std::size_t serial_graphs = 4096;
  /// For tests: what changes the device's results before they are compared.
  std::function<void(device_batch::found_priorities&, std::vector<placement>&)> spoil = {};
};

struct batch_outcome {
  result_table batches;  // a row an arm and repetition
  std::string failed;    // what was wrong first; empty: nothing
};

[[nodiscard]] result_table batches_table();

/// Times `batch` on the machine and `serial` on one host thread, each for levels, ranks and order
/// ("priorities") and with selection by append ("whole"), in balanced order; prints a line an arm.
/// All times are from graphs in the arm's memory to results there. With common.verify every graph's
/// schedule is checked, and all numbers are compared with the reference's, in every repetition.
/// Throws usage_error on bad specifications and on graphs that device_batch refuses.
[[nodiscard]] batch_outcome run_batches(std::span<batch_request const> requests,
                                        common_options const& common, device& machine);

}  // namespace gridloom::pets
