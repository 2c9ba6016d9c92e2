#pragma once
// CholeskyQR2, the rival on tall matrices. A round computes R by Cholesky's factorisation of AᵀA,
// and Q = A R⁻¹; a second round does the same to Q. The condition of AᵀA is the square of A's, so a
// round loses twice as many digits as A's condition has. The second round restores them, unless the
// first lost all. The method breaks down beyond a condition of about 1 / √ε. (Fukaya and others,
// CholeskyQR2, 2014.)

#include "rivals/tall_products.hpp"

namespace gridloom::tiled_qr {

/// A <- Q and `r` <- R, n × n with zeros below the diagonal. `g` is workspace of n × n elements.
/// `infos` has one number per round: 0, or the pivot at which Cholesky's factorisation broke down.
/// After a breakdown, Q and R are useless.
template <class T>
void cholesky_qr2(tall_products<T>& by, T* a, T* r, T* g, int* infos) {
  by.gram(a, r);
  by.factor(r, infos);
  by.solve(r, a);
  by.gram(a, g);
  by.factor(g, infos + 1);
  by.solve(g, a);
  by.combine(g, r);
}

}  // namespace gridloom::tiled_qr
