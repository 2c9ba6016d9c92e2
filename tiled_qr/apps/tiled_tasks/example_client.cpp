#include "apps/tiled_tasks/example.hpp"

#include "apps/tiled_tasks/client.hpp"
#include "gridloom/random.hpp"
#include "rivals/graph_executors.hpp"

namespace gridloom::tiled_qr::general {

namespace {

class example_client final : public client {
 public:
  example_client(device& machine, std::uint32_t chunks, std::uint64_t seed)
      : machine_(&machine),
        graph_(example::make_graph(chunks)),
        values_(std::size_t{chunks} * example::chunk_size),
        numbers_(machine.allocate<std::uint32_t>(values_.size())),
        counts_(machine.allocate<std::uint32_t>(std::size_t{chunks} * example::values)),
        histogram_(machine.allocate<std::uint32_t>(example::values)) {
    random_source random(seed);
    for (std::uint32_t& value : values_)
      value = static_cast<std::uint32_t>(random.below(example::values));
  }

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph, execution how,
                                       executor_settings const& settings) override {
    return make_executor(*machine_, graph, how, settings,
                         example::body{numbers_.data(), counts_.data(), histogram_.data()});
  }
  void load() override {
    machine_->copy_to_device(numbers_, std::span<std::uint32_t const>(values_));
    machine_->fill_bytes(counts_, 0xff);
    machine_->fill_bytes(histogram_, 0);
  }
  void fetch() override { result_ = machine_->copy_to_host(histogram_); }
  double verify(int) override {
    std::vector<std::uint32_t> expected(example::values, 0);
    for (std::uint32_t const value : values_) ++expected[value];
    for (std::size_t v = 1; v < expected.size(); ++v) expected[v] += expected[v - 1];
    if (result_ != expected)
      throw wrong_result("the histogram differs from a count of the numbers on the host");
    return 0;
  }
  std::size_t bytes() const override {
    return numbers_.bytes() + counts_.bytes() + histogram_.bytes();
  }

 private:
  device* machine_;
  task_graph graph_;
  std::vector<std::uint32_t> values_;
  buffer<std::uint32_t> numbers_;
  buffer<std::uint32_t> counts_;
  buffer<std::uint32_t> histogram_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

std::unique_ptr<client> make_example_client(device& machine, std::uint32_t chunks,
                                            std::uint64_t seed) {
  return std::make_unique<example_client>(machine, chunks, seed);
}

}  // namespace gridloom::tiled_qr::general
