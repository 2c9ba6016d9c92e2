#include "gridloom/bench/sha256.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "gridloom/files/input_file.hpp"

namespace gridloom::bench {
namespace {

constexpr std::size_t block_bytes = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

class hash {
 public:
  /// All calls except the last must pass a multiple of the block size.
  void add(std::span<std::byte const> data) {
    bytes_ += data.size();
    for (; data.size() >= block_bytes; data = data.subspan(block_bytes)) mix(data.data());
    rest_.assign(data.begin(), data.end());
  }

  std::string finish() {
    rest_.push_back(std::byte{0x80});
    while (rest_.size() % block_bytes != block_bytes - 8) rest_.push_back(std::byte{0});
    std::uint64_t const bits = bytes_ * 8;
    for (int shift = 56; shift >= 0; shift -= 8) {
      rest_.push_back(static_cast<std::byte>(bits >> static_cast<unsigned>(shift)));
    }
    for (std::size_t at = 0; at < rest_.size(); at += block_bytes) mix(rest_.data() + at);
    std::string digits;
    for (std::uint32_t const word : state_) {
      for (int shift = 28; shift >= 0; shift -= 4) {
        digits += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 15U];
      }
    }
    return digits;
  }

 private:
  void mix(std::byte const* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t t = 0; t < 16; ++t) {
      for (std::size_t k = 0; k < 4; ++k) {
        w[t] = w[t] << 8U | std::to_integer<std::uint32_t>(block[4 * t + k]);
      }
    }
    for (std::size_t t = 16; t < 64; ++t) {
      std::uint32_t const s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3U;
      std::uint32_t const s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10U;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (std::size_t t = 0; t < 64; ++t) {
      std::uint32_t const s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      std::uint32_t const t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[t] + w[t];
      std::uint32_t const s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      std::uint32_t const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    std::array<std::uint32_t, 8> const mixed{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) state_[i] += mixed[i];
  }

  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::vector<std::byte> rest_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::string sha256(std::span<std::byte const> data) {
  hash made;
  made.add(data);
  return made.finish();
}

std::string sha256_of_file(std::filesystem::path const& path) {
  input_file file{path};
  std::vector<std::byte> piece(std::size_t{1} << 20U);
  hash made;
  for (std::size_t got = piece.size(); got == piece.size();) {
    got = file.read(piece.data(), piece.size());
    made.add(std::span(piece).first(got));
  }
  return made.finish();
}

}  // namespace gridloom::bench
