#include "compiler/host_code.hpp"

namespace gridloom::juggler::cc {
std::string explain(program const&) { return {}; }
}  // namespace gridloom::juggler::cc
