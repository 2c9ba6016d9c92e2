#pragma once
// CholeskyQR2, the rival on tall matrices: R from Cholesky's factorisation of AᵀA, Q = A R⁻¹, and
// the same once more on Q. AᵀA has the square of A's condition, so one round loses twice as many
// digits as A's condition has. The second round restores them, if the first round left any. The
// method breaks down beyond a condition of about 1 / √ε. (Fukaya and others, CholeskyQR2, 2014.)

#include "rivals/tall_products.hpp"

namespace gridloom::tiled_qr {

/// A <- Q and `r` <- R, n × n with zeros below. `g`: room for n × n. `infos`: one number for each
/// of the two rounds: 0, or the pivot at which Cholesky's factorisation broke down. After a
/// breakdown Q and R are useless.
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
