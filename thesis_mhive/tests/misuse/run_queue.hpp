#pragma once
// A program's use of its queue, so that a misuse shows all the errors that its user would see.

#include "mhive/megakernel.hpp"
#include "mhive/program.hpp"
#include "mhive/time_sliced.hpp"

namespace misuse {

using namespace gridloom::mhive;

struct no_data {};

/// A task type like others, unless its item or its size is wrong.
template <int Number, class Item = int, int Size = 32>
struct right_task {
  using work_item = Item;
  static constexpr int worker_size = Size;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, Item const& item) {
    context.template enqueue<right_task>(item);
  }
};

template <class Queue>
void run_queue(gridloom::device& machine) {
  program<Queue> tasks{machine, {}};
  static_cast<void>(tasks.template run<megakernel>(no_data{}));
  static_cast<void>(tasks.template run<time_sliced>(no_data{}));
}

}  // namespace misuse
