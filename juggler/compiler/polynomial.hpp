#pragma once
// Polynomials for sizes and indices of arrays.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridloom::juggler::cc {

/// A sum of products of variables. The key of a product is its sorted list of factors.
class polynomial {
 public:
  /// Implicit, because every number is a polynomial.
  polynomial(std::int64_t constant) {  // NOLINT
    if (constant != 0) terms_[{}] = constant;
  }
  static polynomial of(std::string const& variable) {
    polynomial result(0);
    result.terms_[{variable}] = 1;
    return result;
  }
  polynomial operator+(polynomial const& other) const { return plus(other, 1); }
  polynomial operator-(polynomial const& other) const { return plus(other, -1); }
  polynomial operator*(polynomial const& other) const {
    polynomial result(0);
    for (auto const& [a, m] : terms_) {
      for (auto const& [b, n] : other.terms_) {
        std::vector<std::string> factors = a;
        factors.insert(factors.end(), b.begin(), b.end());
        std::sort(factors.begin(), factors.end());
        result.add(factors, m * n);
      }
    }
    return result;
  }
  /// Whether all coefficients are positive. Then the sum is not negative unless a variable is.
  [[nodiscard]] bool is_never_negative() const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [](auto const& term) { return term.second > 0; });
  }
  [[nodiscard]] std::optional<std::int64_t> constant() const {
    if (terms_.empty()) return 0;
    bool const is_number = terms_.size() == 1 && terms_.begin()->first.empty();
    return is_number ? std::optional(terms_.begin()->second) : std::nullopt;
  }
  /// The sum as text, long products first.
  [[nodiscard]] std::string text() const {
    std::vector<std::pair<std::vector<std::string>, std::int64_t>> all(terms_.begin(),
                                                                       terms_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](auto const& a, auto const& b) { return a.first.size() > b.first.size(); });
    std::string result;
    for (auto const& [factors, number] : all) {
      std::int64_t const size = number < 0 ? -number : number;
      std::string product = factors.empty() || size != 1 ? std::to_string(size) : "";
      for (std::string const& factor : factors) product += (product.empty() ? "" : " * ") + factor;
      if (result.empty()) {
        result = (number < 0 ? "-" : "") + product;
      } else {
        result += (number < 0 ? " - " : " + ") + product;
      }
    }
    return result.empty() ? "0" : result;
  }

 private:
  polynomial plus(polynomial const& other, std::int64_t sign) const {
    polynomial result = *this;
    for (auto const& [factors, number] : other.terms_) result.add(factors, sign * number);
    return result;
  }
  void add(std::vector<std::string> const& factors, std::int64_t number) {
    if ((terms_[factors] += number) == 0) terms_.erase(factors);
  }
  std::map<std::vector<std::string>, std::int64_t> terms_;
};

}  // namespace gridloom::juggler::cc
