#pragma once
// What the bench runs: tasks of a client under a scheduler, FR2's own grid, and a library on the same
// matrix.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "arms.hpp"
#include "check/cholesky.hpp"
#include "client.hpp"
#include "inputs/families.hpp"
#include "rivals/lapack.hpp"
#include "tiled_qr/factorization.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr::general {

inline std::unique_ptr<client> make_client(device& machine, request const& wanted,
                                           subject const& what, std::uint64_t seed) {
  if (what.client == "qr") return make_qr_client(machine, what.rows, wanted.tile, seed);
  if (what.client == "cholesky") {
    updates const order = what.updates == updates_names[0] ? updates::in_order : updates::any_order;
    return make_cholesky_client(machine, what.rows, wanted.tile, order, seed);
  }
  if (what.client == "example")
    return make_example_client(machine, static_cast<std::uint32_t>(what.rows), seed);
  return make_graph_client(machine, *what.graph, what.work_ns);
}

/// One host thread, whatever the machine is.
inline device& host() {
  static device machine("host", 0);
  return machine;
}

/// The tasks of a client.
class task_work final : public bench::work<row> {
 public:
  task_work(bench::program& app, request const& wanted, subject const& what, execution how,
            launch_shape shape, priority_by order, bool on_host)
      : app_(app),
        machine_(on_host ? host() : app.machine()),
        settings_{shape.blocks, shape.threads, app.common().timeout_s},
        client_(make_client(machine_, wanted, what, app.common().seed)),
        graph_(client_->graph().compile(order, static_cast<std::uint32_t>(wanted.classes))),
        executor_(client_->make_ready(graph_, how, settings_)) {}

  void copy_in() override { client_->load(); }
  void run() override { executor_->run(); }
  void copy_out() override { client_->fetch(); }
  void check() override { executor_->require_done(); }
  void verify() override { residual_ = client_->verify(settings_.threads); }
  bool observe() override {
    constexpr std::uint32_t most_events = 1U << 22U;
    trace_ref const events =
        app_.arm_trace(settings_.blocks, std::min(graph_.tasks(), most_events));
    client_->load();
    executor_->run(events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    to.classes = static_cast<int>(graph_.num_classes);
    to.launches = static_cast<std::int64_t>(executor_->launches());
    to.finished = static_cast<std::int64_t>(executor_->finished());
    to.put_backs = static_cast<std::int64_t>(executor_->put_backs());
    to.data_bytes = static_cast<std::int64_t>(client_->bytes());
    to.graph_bytes = static_cast<std::int64_t>(executor_->bytes());
    if (kernel_facts const facts = executor_->facts(); facts.registers != 0) {
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
    if (residual_) to.residual = *residual_;
  }

 private:
  bench::program& app_;
  device& machine_;
  execution_settings settings_;
  std::unique_ptr<client> client_;
  compiled_graph graph_;
  std::unique_ptr<executor> executor_;
  std::optional<double> residual_;
};

/// FR2 on the matrix of the QR client.
class grid_work final : public bench::work<row> {
 public:
  grid_work(bench::program& app, request const& wanted, subject const& what, launch_shape shape)
      : app_(app),
        shape_(shape),
        cut_(make_tiling(what.rows, what.rows, wanted.tile)),
        values_(make_matrix<double>("random", what.rows, what.rows, app.common().seed)),
        matrix_(app.machine(), cut_),
        qr_(app.machine(), cut_, settings()) {}

  void copy_in() override { matrix_.load(values_); }
  void run() override {
    qr_.reset();
    qr_.run(matrix_.ref());
  }
  void copy_out() override { factors_ = matrix_.fetch(); }
  void check() override { qr_.require_done(); }
  void verify() override {
    if (factors_by_grid(app_.machine(), cut_, values_, shape_.threads) != factors_)
      throw wrong_result("the factors are not those of FR1");
  }
  bool observe() override {
    trace_ref const events =
        app_.arm_trace(qr_.observers(), static_cast<std::uint32_t>(count_tasks(cut_)));
    copy_in();
    qr_.reset();
    qr_.run(matrix_.ref(), events);
    app_.machine().synchronize();
    return true;
  }
  void record(row& to) const override {
    to.launches = 1;
    to.finished = static_cast<std::int64_t>(const_cast<grid_work*>(this)->qr_.finished());
    to.data_bytes = static_cast<std::int64_t>(matrix_.bytes());
    to.graph_bytes = static_cast<std::int64_t>(qr_.bytes());
  }

 private:
  [[nodiscard]] factorization_settings settings() const {
    factorization_settings result;
    result.how = scheduling::shared;
    result.blocks = shape_.blocks;
    result.threads = shape_.threads;
    result.timeout_s = app_.common().timeout_s;
    return result;
  }

  bench::program& app_;
  launch_shape shape_;
  tiling cut_;
  std::vector<double> values_;
  device_matrix<double> matrix_;
  factorization<double> qr_;
  std::vector<double> factors_;
};

/// OpenBLAS on the same matrix.
class lapack_work final : public bench::work<row> {
 public:
  lapack_work(subject const& what, std::uint64_t seed)
      : n_(what.rows),
        is_qr_(what.client == "qr"),
        values_(is_qr_ ? make_matrix<double>("random", n_, n_, seed) : make_definite(n_, seed)),
        taus_(static_cast<std::size_t>(n_)) {}

  void prepare() override { set_lapack_threads(1); }
  void copy_in() override { factors_ = values_; }
  void run() override {
    if (is_qr_) {
      lapack_geqrf(n_, n_, factors_.data(), taus_.data());
    } else {
      lapack_potrf(n_, factors_.data());
    }
  }
  void record(row& to) const override {
    to.data_bytes = static_cast<std::int64_t>(values_.size() * sizeof(double));
  }

 private:
  std::int64_t n_;
  bool is_qr_;
  std::vector<double> values_;
  std::vector<double> taus_;
  std::vector<double> factors_;
};

}  // namespace gridloom::tiled_qr::general
