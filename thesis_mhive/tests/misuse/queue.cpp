// A program that uses the queue QUEUE. Its task doing_task does DO, and its host does HOST. If
// MHive is misused, the compiler prints all errors that a user would see. ../CMakeLists.txt has the
// definitions, and the message that the compiler must print for each.

#include <vector>

#include "mhive/megakernel.hpp"
#include "mhive/program.hpp"

#ifndef DO
#define DO
#endif
#ifndef HOST
#define HOST
#endif
#ifndef DATA
#define DATA no_data
#endif
#ifndef SCHEDULER
#define SCHEDULER megakernel
#endif

namespace misuse {

using namespace gridloom::mhive;

struct no_data {};
struct data_that_owns {
  std::vector<int> numbers;
};

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

struct task_without_execute {
  using work_item = int;
  static constexpr int worker_size = 32;
};
struct task_with_made_scratch : right_task<0> {
  struct scratch {
    int words[4] = {1, 2, 3, 4};
  };
};
struct task_with_empty_policy : right_task<0> {
  struct insert_policy {};
};

/// The dependency of any task, which is never used.
template <class... Type>
dependency<Type...>* on() {
  return nullptr;
}

struct doing_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute([[maybe_unused]] Context& context, [[maybe_unused]] int item) {
    DO;
  }
};

template <class Queue>
void run_queue(gridloom::device& machine) {
  program<Queue> tasks{machine, {}};
  HOST;
  DATA const data{};
  (void)tasks.template run<SCHEDULER>(data);
}
template void run_queue<QUEUE>(gridloom::device&);

}  // namespace misuse
