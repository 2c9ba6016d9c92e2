#include "apps/tiled_tasks/example.hpp"

#include "apps/tiled_tasks/client.hpp"
#include "tiled_qr/general/launch.hpp"

namespace gridloom::tiled_qr::general {

namespace {

constexpr std::uint32_t chunk_size = 2048;

class example_client final : public client {
 public:
  example_client(device& machine, std::uint32_t chunks)
      : machine_(&machine),
        graph_(example::make_graph(chunks, chunk_size)),
        numbers_(machine.allocate<std::uint32_t>(std::size_t{chunks} * chunk_size)),
        histogram_(machine.allocate<std::uint32_t>(example::bins)) {}

  task_graph const& graph() const override { return graph_; }
  std::unique_ptr<executor> make_ready(compiled_graph const& graph,
                                       execution_settings const& how) override {
    return make_executor(*machine_, graph, how, example::body{numbers_.data(), histogram_.data()});
  }
  void load() override {
    machine_->fill_bytes(numbers_, 0);
    machine_->fill_bytes(histogram_, 0);
  }
  void fetch() override { result_ = machine_->copy_to_host(histogram_); }
  double verify(int) override {
    std::vector<std::uint32_t> expected(example::bins, 0);
    for (std::uint32_t i = 0; i < numbers_.size(); ++i)
      ++expected[(i * 2654435761U >> 20U) % example::bins];
    for (std::size_t bin = 1; bin < expected.size(); ++bin) expected[bin] += expected[bin - 1];
    if (result_ != expected) throw wrong_result("the histogram is not that of the numbers");
    return 0;
  }
  std::size_t bytes() const override { return numbers_.bytes() + histogram_.bytes(); }

 private:
  device* machine_;
  task_graph graph_;
  buffer<std::uint32_t> numbers_;
  buffer<std::uint32_t> histogram_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

std::unique_ptr<client> make_example_client(device& machine, std::uint32_t chunks) {
  return std::make_unique<example_client>(machine, chunks);
}

}  // namespace gridloom::tiled_qr::general
