#pragma once
// The common part of executors that call a library: one call for a whole matrix, and no tasks.

#include "juggler/executor.hpp"

namespace gridloom::juggler::lud {

/// Reports no launches, because the library launches its own kernels.
class library_executor : public executor {
 public:
  void require_done() override {}
  std::uint64_t finished() override { return 0; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
  [[nodiscard]] std::size_t launches() const override { return 0; }
  [[nodiscard]] int workers() const override { return 0; }
  [[nodiscard]] kernel_facts facts() const override { return {}; }
};

}  // namespace gridloom::juggler::lud
