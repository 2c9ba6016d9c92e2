#pragma once
// Finds which elements of an array a region accesses, from the loops around the accesses.
// Polynomials in variables from outside the region bound the indices. The search enters called
// functions whose body is known.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/parallel_loop.hpp"

namespace gridloom::juggler::cc {

// Polynomials for sizes and indices of arrays.

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

/// All accessed elements lie in [first, end). An unknown bound is empty.
struct element_range {
  std::optional<polynomial> first;
  std::optional<polynomial> end;
};

struct array_use {
  /// Empty if no access was found. If the address escapes, there may be more accesses.
  std::optional<element_range> touched;
  std::optional<element_range> written;
  /// The target of one assignment to the array, or null.
  clang::Expr const* write = nullptr;
  /// Whether the array's address is stored elsewhere, or passed to a function without a body.
  bool escapes = false;
};

/// Assumes that outside variables are never negative and that no index overflows.
class array_uses {
 public:
  /// `within` is the function that contains the region.
  array_uses(clang::ASTContext& context, clang::Stmt const* region,
             clang::FunctionDecl const* within);

  [[nodiscard]] array_use of(clang::VarDecl const* array);
  /// The largest or smallest value of an expression in the region; empty if unknown.
  [[nodiscard]] std::optional<polynomial> bound(clang::Expr const* of, bool largest);

 private:
  using maybe = std::optional<polynomial>;
  struct offset {
    maybe least;
    maybe most;
  };

  void collect(clang::Stmt const* code);
  void follow(clang::Stmt const* code, clang::VarDecl const* pointer, offset const& from,
              array_use& into);
  void follow_call(clang::CallExpr const* call, clang::VarDecl const* pointer, offset const& from,
                   std::set<clang::Expr const*>& known, array_use& into);
  [[nodiscard]] offset plus(offset const& from, clang::Expr const* index);
  maybe bound_of_product(clang::Expr const* left, clang::Expr const* right, bool largest);
  maybe bound_of(clang::VarDecl const* variable, clang::Expr const* at, bool largest);
  maybe bound_of_loop(loop_header const& loop, bool largest);
  [[nodiscard]] bool is_hidden(clang::VarDecl const* variable) const;

  clang::ASTContext& context_;
  clang::Stmt const* region_;
  clang::FunctionDecl const* within_;
  std::multimap<clang::VarDecl const*, loop_header> loops_;
  std::map<clang::VarDecl const*, std::vector<clang::Expr const*>> arguments_;
  std::map<clang::VarDecl const*, unsigned> assignments_;
  std::set<clang::VarDecl const*> locals_;
  std::set<clang::FunctionDecl const*> called_;
  std::set<std::pair<clang::Stmt const*, clang::VarDecl const*>> followed_;
  std::vector<clang::VarDecl const*> bounding_;
};

/// Warns about map clauses that lose results: tasks write an array mapped `to`, or only a part of
/// an array mapped `from`.
void warn_of_lost_writes(clang::ASTContext& context, region const& of, reporter const& report);

}  // namespace gridloom::juggler::cc
