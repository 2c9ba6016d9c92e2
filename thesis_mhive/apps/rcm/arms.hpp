#pragma once
// The versions of the ordering as arms of the bench, on one matrix.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arm.hpp"
#include "columns.hpp"
#include "problem.hpp"
#include "serial_order.hpp"

namespace gridloom::mhive::rcm {

struct method {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<order_arm> (*make)(std::string_view name, arm_setup const& setup);
  /// Runs on host threads, whatever the machine is.
  bool on_host = false;
  /// cuSOLVER: chooses start nodes of its own, so that its order is not ours.
  bool own_starts = false;
};

[[nodiscard]] std::span<method const> methods();
/// Names of those that run on the machine.
[[nodiscard]] std::vector<std::string> default_methods(device const& machine);

/// What all arms on a matrix share. They run one at a time. All references outlive it.
class order_scene {
 public:
  /// `start_text`: how start nodes are chosen, as it was asked for. `parts`: takes the rows of
  /// work::observe.
  order_scene(bench::program& app, problem const& given, start_options const& starts,
              std::string start_text, bench::table<part_row>& parts);

  /// An order is held against faults_of and the serial one. The scene outlives the arms.
  [[nodiscard]] std::vector<bench::arm<row>> arms(std::vector<std::string> const& names);

  /// What is known of every row.
  [[nodiscard]] row const& facts() const { return facts_; }
  /// Reversed, of the first arm that gave one; empty without one.
  [[nodiscard]] std::vector<std::uint32_t> const& order() const { return order_; }

 private:
  friend class order_work;

  bench::program& app_;
  problem const& given_;
  start_options starts_;
  bench::table<part_row>& parts_;
  serial_order expected_;
  row facts_;
  std::vector<std::uint32_t> order_;
};

}  // namespace gridloom::mhive::rcm
