// A program that uses the queue QUEUE. If the queue is misused, the compiler prints all errors that
// a user would see. ../CMakeLists.txt has the queues, and the message that the compiler must print
// for each.

#include "mhive/megakernel.hpp"
#include "mhive/program.hpp"
#include "mhive/time_sliced.hpp"

namespace misuse {

using namespace gridloom::mhive;

struct no_data {};

/// A valid task type, unless its item or its size is wrong.
template <int Number, class Item = int, int Size = 32>
struct right_task {
  using work_item = Item;
  static constexpr int worker_size = Size;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, Item const& item) {
    context.template enqueue<right_task>(item);
  }
};

struct task_without_item {
  static constexpr int worker_size = 1;
};

struct item_without_default {
  explicit item_without_default(int of) : value(of) {}
  int value;
};

struct large_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  struct scratch {
    char tile[8192];
  };
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int item) {
    context.template enqueue<large_task>(item);
  }
};

struct enqueueing_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int item) {
    context.template enqueue<right_task<0>>(item);
  }
};

template <class Queue>
void run_queue(gridloom::device& machine) {
  program<Queue> tasks{machine, {}};
  (void)tasks.template run<megakernel>(no_data{});
  (void)tasks.template run<time_sliced>(no_data{});
}
template void run_queue<QUEUE>(gridloom::device&);

}  // namespace misuse
