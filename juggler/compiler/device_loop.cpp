// Translates `parallel for` into a loop over all threads of a block.
#include <algorithm>

#include "compiler/device_code.hpp"
#include "compiler/parallel_loop.hpp"
#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

std::string in_parentheses(std::string const& text) {
  bool const plain = std::all_of(text.begin(), text.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return plain ? text : "(" + text + ")";
}

struct reduction {
  VarDecl const* variable;
  /// sum_of, minimum_of or maximum_of.
  std::string op;
};

}  // namespace

void device_code::parallel_for(OMPExecutableDirective const* of, wide_state& state) {
  std::vector<loop_header> const loops = loops_of(of);
  if (loops.empty()) {
    report_.error(of,
                  "this form of loop is not supported; write for (i = first; i "
                  "< end; i += step)");
    return;
  }
  for (loop_header const& l : loops) {
    bool written = !l.loop->getForLoc().isMacroID();
    for (Expr const* part : {l.first, l.bound, l.step})
      written = written && (part == nullptr || source_.is_whole(part->getSourceRange()));
    if (!written) {
      report_.error(l.loop, "the header of a parallel loop comes from a macro; write it out");
      return;
    }
    if (l.variable->getType().getNonReferenceType()->isIntegerType()) continue;
    report_.error(l.loop, "in a task, a parallel loop needs an integer variable; count elements");
    return;
  }
  std::vector<VarDecl const*> privates, firstprivates;
  std::vector<reduction> reductions;
  for (OMPClause const* clause : of->clauses()) {
    if (clause->isImplicit()) continue;
    if (isa<OMPPrivateClause>(clause)) take_variables(clause, privates);
    if (isa<OMPFirstprivateClause>(clause)) take_variables(clause, firstprivates);
    if (auto const* r = dyn_cast<OMPReductionClause>(clause)) {
      std::string const name = r->getNameInfo().getAsString();
      std::string const op = name == "min" ? "minimum_of" : name == "max" ? "maximum_of" : "sum_of";
      for (Expr const* item : r->varlists()) {
        VarDecl const* variable = variable_of(item);
        if (variable == nullptr || !variable->hasLocalStorage() ||
            region_.capture_of(variable) != nullptr) {
          report_.error(item,
                        "a reduction in a task needs a local variable; store it after the loop");
          return;
        }
        reductions.push_back({variable, op});
      }
    }
  }

  // Iterations may read shared variables but not write them.
  ForStmt const* innermost = loops.back().loop;
  effects const done = effects_of(innermost->getBody());
  auto const is_own = [&](VarDecl const* v) {
    // Elements of a mapped array may be written: each iteration writes its own.
    bool const is_array =
        v->getType().getNonReferenceType()->isArrayType() && region_.map_of(v) != nullptr;
    return is_array || has(privates, v) || has(firstprivates, v) ||
           std::any_of(reductions.begin(), reductions.end(),
                       [&](reduction const& r) { return r.variable == v; }) ||
           std::any_of(loops.begin(), loops.end(),
                       [&](loop_header const& l) { return l.variable == v; });
  };
  for (auto const* list : {&done.assigns, &done.escapes}) {
    for (VarDecl const* v : *list) {
      if (is_own(v) || (list == &done.escapes && !done.stores)) continue;
      report_.error(of, "iterations write '" + v->getNameAsString() +
                            "', which they share; write private(" + v->getNameAsString() +
                            "), or declare it in the loop");
      return;
    }
  }

  auto const text = [&](Expr const* e) {
    return in_parentheses(edits_.render(source_, source_.range(e->getSourceRange())));
  };
  auto const type_of = [&](VarDecl const* v) {
    return v->getType().getNonReferenceType().getUnqualifiedType();
  };
  text_range const whole = source_.range(static_cast<Stmt const*>(of));
  std::string const indent = source_.indent(whole);
  std::string const block = "jcc_block.thread_rank(), jcc_block.num_threads()";
  std::string before;
  // Declarations in each iteration.
  std::string own;
  auto const is_of_loop = [&](VarDecl const* v) {
    return std::any_of(loops.begin(), loops.end(),
                       [&](loop_header const& l) { return l.variable == v; });
  };
  for (VarDecl const* v : privates)
    if (!is_of_loop(v)) own += declaration(context_, type_of(v), v->getNameAsString()) + "; ";
  for (VarDecl const* v : firstprivates) {
    std::string const name = v->getNameAsString();
    if (v->getType().getNonReferenceType()->isArrayType()) {
      report_.error(of, "array '" + name +
                            "' is firstprivate; declare an array in the loop, and "
                            "copy it there");
      return;
    }
    before += "auto const jcc_first_" + name + " = " + name + ";\n" + indent;
    own += declaration(context_, type_of(v), name) + " = jcc_first_" + name + "; ";
  }
  std::string behind = "\n" + indent + "jcc_block.sync();";
  for (reduction const& r : reductions) {
    std::string const name = r.variable->getNameAsString();
    std::string const type = declaration(context_, type_of(r.variable), "");
    reduced_.insert(type);
    before += type + " jcc_own_" + name + (r.op == "sum_of" ? "{}" : " = " + name) + ";\n" + indent;
    own += type + "& " + name + " = jcc_own_" + name + "; ";
    std::string const all = "gridloom::reduce(jcc_block, jcc_shared.jcc_of(static_cast<" + type +
                            ">(0)), jcc_own_" + name + ", gridloom::" + r.op + "{})";
    behind += "\n" + indent + name + " = gridloom::" + r.op + "{}(" + name + ", " + all + ");";
  }

  std::string header;
  loop_header const& outer = loops.front();
  bool const is_plain = loops.size() == 1 && outer.goes_up &&
                        outer.variable->getType()->isSignedIntegerType() &&
                        context_.getTypeSize(outer.variable->getType()) >= 32;
  if (is_plain) {
    std::string const step = outer.step == nullptr ? "" : text(outer.step);
    std::string const name = outer.variable->getNameAsString();
    auto const times_step = [&](std::string const& blocks) {
      return step.empty() ? blocks : blocks + " * " + step;
    };
    header = "for (" + declaration(context_, type_of(outer.variable), name) + " = " +
             text(outer.first) + " + " + times_step("jcc_block.thread_rank()") + "; " + name +
             (outer.is_closed ? " <= " : " < ") + text(outer.bound) + "; " + name +
             " += " + times_step("jcc_block.num_threads()") + ") ";
  } else {
    std::string trips;
    for (std::size_t d = 0; d < loops.size(); ++d) {
      loop_header const& l = loops[d];
      std::string const step = l.step == nullptr ? "1" : text(l.step);
      std::string const low = l.goes_up ? text(l.first) : text(l.bound);
      std::string const high = l.goes_up ? text(l.bound) : text(l.first);
      trips += (d == 0 ? "" : ", ") + ("jcc::trips(" + low + ", " + high + ", " + step) +
               (l.is_closed ? ", true)" : ", false)");
      std::string const index = "jcc_at[" + std::to_string(d) + "]";
      std::string const name = l.variable->getNameAsString();
      std::string const type = declaration(context_, type_of(l.variable), "");
      own = declaration(context_, type_of(l.variable), name) + " = static_cast<" + type + ">(" +
            text(l.first) + (l.goes_up ? " + " : " - ") + index +
            (l.step == nullptr ? "" : " * " + step) + "); " + own;
    }
    header = "for (jcc::iterations<" + std::to_string(loops.size()) + "> jcc_at({" + trips + "}, " +
             block + "); jcc_at.left(); jcc_at.next()) ";
  }

  // Replaces everything from the pragma to the innermost body.
  Stmt const* body = innermost->getBody();
  text_range const inner = source_.range(body);
  std::string const meets = state.dirty ? "jcc_block.sync();\n" + indent : "";
  bool const is_compound = isa<CompoundStmt>(body);
  std::string opening = header;
  unsigned end = inner.begin;
  if (!own.empty() || !is_compound) {
    opening += "{ " + own;
    if (is_compound) end += 1;
  }
  edits_.replace({whole.file, whole.begin, end}, meets + before + opening);
  // Removes the closing braces of collapsed loops.
  std::string closing = (!own.empty() || !is_compound) && !is_compound ? " }" : "";
  edits_.replace({whole.file, inner.end, whole.end}, closing + behind);
  state.dirty = false;
}

}  // namespace gridloom::juggler::cc
