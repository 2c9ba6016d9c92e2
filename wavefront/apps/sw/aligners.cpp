// Host side of the aligners: tiles, run in each way, and strips.

#include <algorithm>
#include <span>

#include "../tiles/tile_run.hpp"
#include "alignment.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/generate.hpp"
#include "wavefront/ours/sw/strips_kernel.hpp"

namespace gridloom::wavefront::sw {
namespace {

/// The texts on the device.
class texts {
 public:
  texts(device& machine, alignment_input const& of)
      : machine_(machine),
        gaps_(of.gaps),
        query_(machine.allocate<residue>(of.rows())),
        target_(machine.allocate<residue>(of.cols())),
        scores_(
            machine.allocate_copy(std::vector<std::int8_t>(blosum62().begin(), blosum62().end()))) {
  }
  void load(alignment_input const& of) {
    machine_.copy_to_device(query_, std::span<residue const>(of.query));
    machine_.copy_to_device(target_, std::span<residue const>(of.target));
  }
  lattice_ref ref() const {
    return {query_.data(),
            target_.data(),
            scores_.data(),
            gaps_,
            static_cast<std::uint32_t>(query_.size()),
            static_cast<std::uint32_t>(target_.size())};
  }
  std::uint64_t bytes() const { return query_.bytes() + target_.bytes() + scores_.bytes(); }

 private:
  device& machine_;
  gap_costs gaps_;
  buffer<residue> query_, target_;
  buffer<std::int8_t> scores_;
};

/// Tile (r, c) precedes the tiles to its right and below it.
csr_graph tile_graph(std::uint32_t strips, std::uint32_t across) {
  return generate_graph("lattice:rows=" + std::to_string(strips) +
                        ",cols=" + std::to_string(across));
}

class tiled final : public aligner {
 public:
  tiled(device& machine, alignment_input const& of, tiles::tile_way how,
        aligner_options const& options)
      : machine_(machine),
        texts_(machine, of),
        strips_(of.rows() / strip_rows),
        across_((of.cols() + options.tile_cols - 1) / options.tile_cols),
        above_(machine.allocate<edge>(of.cols())),
        left_h_(machine.allocate<std::int32_t>(std::size_t{strips_} * (strip_rows + 1))),
        left_e_(machine.allocate<std::int32_t>(std::size_t{strips_} * strip_rows)),
        best_(machine.allocate<std::uint64_t>(std::size_t{strips_} * across_)),
        tiles_by_(
            tiles::make_tile_run(machine, tile_graph(strips_, across_),
                                 align_tile{texts_.ref(), options.tile_cols, across_, above_.data(),
                                            left_h_.data(), left_e_.data(), best_.data()},
                                 how, options.shape, options.timeout_s)) {}

  void load(alignment_input const& of) override {
    texts_.load(of);
    tiles_by_.by->reset();
  }
  void forget() override {
    machine_.fill_bytes(above_, 0xff);
    machine_.fill_bytes(left_h_, 0xff);
    machine_.fill_bytes(best_, 0xff);
  }
  void run() override { tiles_by_.by->run(); }
  alignment_result result() override {
    alignment_result found;
    for (edge const& one : machine_.copy_to_host(above_)) found.last_row.push_back(one.h);
    auto const h = machine_.copy_to_host(left_h_);
    auto const best = machine_.copy_to_host(best_);
    for (std::uint32_t s = 0; s < strips_; ++s) {
      auto const rows = h.begin() + std::size_t{s} * (strip_rows + 1) + 1;
      found.last_column.insert(found.last_column.end(), rows, rows + strip_rows);
      auto const tiles = best.begin() + std::size_t{s} * across_;
      found.best.push_back(*std::max_element(tiles, tiles + across_));
    }
    return found;
  }
  void require_done() override { tiles_by_.by->require_done(); }
  std::uint32_t waves() const override { return tiles_by_.waves; }
  std::uint64_t bytes() const override {
    return texts_.bytes() + above_.bytes() + left_h_.bytes() + left_e_.bytes() + best_.bytes() +
           tiles_by_.by->bytes();
  }

 private:
  device& machine_;
  texts texts_;
  std::uint32_t strips_, across_;
  buffer<edge> above_;
  buffer<std::int32_t> left_h_, left_e_;
  buffer<std::uint64_t> best_;
  tiles::tile_run tiles_by_;
};

class strips final : public aligner {
 public:
  strips(device& machine, alignment_input const& of, bool free, aligner_options const& options)
      : machine_(machine),
        free_(free),
        shape_(options.shape),
        texts_(machine, of),
        strips_(of.rows() / (lanes_of(machine, options.shape) * rows_of_lane)),
        words_(machine.allocate<tagged<edge>>(of.cols())),
        last_h_(machine.allocate<std::int32_t>(of.rows())),
        best_(machine.allocate<std::uint64_t>(strips_)),
        dog_(machine, shape_.blocks * ((shape_.threads + 31) / 32), options.timeout_s) {
    machine.fill_bytes(words_, 0);
  }

  void load(alignment_input const& of) override {
    texts_.load(of);
    stopper_ = dog_.arm();
  }
  void forget() override {
    machine_.fill_bytes(last_h_, 0xff);
    machine_.fill_bytes(best_, 0xff);
  }
  void run() override {
    if (base_ > ~std::uint32_t{0} - 2 * (strips_ + 1)) {  // SK.R1 of strips_kernel.hpp
      machine_.fill_bytes(words_, 0);
      base_ = 0;
    }
    machine_.launch(shape_, strips_kernel{texts_.ref(), words_.data(), last_h_.data(), best_.data(),
                                          base_, free_, stopper_});
    base_ += strips_ + 1;
  }
  alignment_result result() override {
    alignment_result found;
    for (tagged<edge> const& word : machine_.copy_to_host(words_))
      found.last_row.push_back(word.value.h);
    found.last_column = machine_.copy_to_host(last_h_);
    auto const best = machine_.copy_to_host(best_);
    std::size_t const together = strip_rows / (found.last_column.size() / best.size());
    for (std::size_t s = 0; s < best.size(); s += together)
      found.best.push_back(*std::max_element(best.begin() + s, best.begin() + s + together));
    return found;
  }
  void require_done() override { dog_.require_in_time("alignment"); }
  std::uint32_t waves() const override { return 0; }
  std::uint64_t bytes() const override {
    return texts_.bytes() + words_.bytes() + last_h_.bytes() + best_.bytes();
  }

 private:
  static std::uint32_t lanes_of(device const& machine, launch_shape shape) {
    if (machine.is_host()) return 1;
    if (shape.threads % 32 != 0) {
      throw usage_error("--threads: expected a multiple of 32, got " +
                        std::to_string(shape.threads));
    }
    return 32;
  }

  device& machine_;
  bool free_;
  launch_shape shape_;
  texts texts_;
  std::uint32_t strips_;
  buffer<tagged<edge>> words_;
  buffer<std::int32_t> last_h_;
  buffer<std::uint64_t> best_;
  std::uint32_t base_ = 0;
  watchdog dog_;
  watchdog_ref stopper_{};
};

}  // namespace

std::unique_ptr<aligner> make_tiled(device& machine, alignment_input const& of, tiles::tile_way how,
                                    aligner_options options) {
  options.shape.threads = machine.is_host() ? 1 : 32;
  return std::make_unique<tiled>(machine, of, how, options);
}

std::unique_ptr<aligner> make_strips(device& machine, alignment_input const& of, bool free,
                                     aligner_options const& options) {
  return std::make_unique<strips>(machine, of, free, options);
}

}  // namespace gridloom::wavefront::sw
