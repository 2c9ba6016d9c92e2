// Writes the inspection of a region (Listing 5), whose loops add tasks to the graph.
#include <algorithm>

#include "compiler/c_source.hpp"
#include "compiler/host_code.hpp"
#include "compiler/pointer_groups.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

char const* name_of(access how) {
  switch (how) {
    case access::in: return "in";
    case access::out: return "out";
    case access::inout: return "inout";
  }
  return "";
}

}  // namespace

// Writes calls of `process_in_dep` and its siblings for a list item of a depend clause.
std::string host_code::dependences(dependence const& of, std::string const& indent) const {
  std::string const begin =
      "jcc_context.process_" + std::string(name_of(of.how)) + "_dep(jcc_task, ";
  section const& what = of.what;
  auto const part = [&](Expr const* e) { return text_of(context_, what, e); };
  std::string base = part(what.base);
  if (!isa<DeclRefExpr>(what.base) && !isa<MemberExpr>(what.base)) base = "(" + base + ")";
  if (what.dimensions.empty()) {
    QualType const type = what.base->getType();
    auto const* array = context_.getAsConstantArrayType(type);
    if (array != nullptr)
      return indent + begin + base + ", 0, " + std::to_string(array->getSize().getZExtValue()) +
             ");\n";
    return indent + begin + "&" + base + ", 0, 1);\n";
  }
  // In a section of several dimensions, each row is one range.
  std::string result;
  std::string inner = indent;
  std::string element = base;
  std::size_t const last = what.dimensions.size() - 1;
  auto const length_of = [&](section_dimension const& d) {
    if (!d.is_section) return std::string("1");
    if (d.length != nullptr) return part(d.length);
    std::string const first = d.first == nullptr ? "0" : "(" + part(d.first) + ")";
    return std::to_string(d.extent) + " - " + first;
  };
  for (std::size_t d = 0; d < last; ++d) {
    section_dimension const& dimension = what.dimensions[d];
    std::string const first = dimension.first == nullptr ? "0" : part(dimension.first);
    if (!dimension.is_section) {
      element += "[" + first + "]";
      continue;
    }
    std::string const row = "jcc_row_" + std::to_string(d);
    result += inner + "for (std::int64_t " + row + " = 0; " + row + " < " + length_of(dimension) +
              "; ++" + row + ")\n";
    inner += "  ";
    element += "[" + (first == "0" ? row : "(" + first + ") + " + row) + "]";
  }
  section_dimension const& row = what.dimensions[last];
  std::string const first = row.first == nullptr ? "0" : part(row.first);
  return result + inner + begin + element + ", " + first + ", " + length_of(row) + ");\n";
}

std::string host_code::pointer_there(VarDecl const* of) const {
  std::string const name = of->getNameAsString();
  auto const there = [&](std::string const& pointer) {
    return "jcc_run.on_device(" + pointer + ", \"" + name + "\")";
  };
  auto const sole = region_.sole_arrays.find(of);
  if (sole == region_.sole_arrays.end()) return there(name);
  return name + " == " + end_of(context_, *region_.map_of(sole->second)) + " ? " +
         there(name + " - 1") + " + 1 : " + there(name);
}

std::string host_code::creation(task const& of) {
  text_range const whole = source_.range(static_cast<Stmt const*>(of.directive));
  std::string const indent = source_.indent(whole);
  std::string const inner = indent + "  ";
  std::string values;
  std::vector<std::string> set;
  for (field const& f : fields_) {
    auto const own = std::find_if(of.firstprivate.begin(), of.firstprivate.end(),
                                  [&](VarDecl const* v) { return field_name(v) == f.name; });
    if (own == of.firstprivate.end() || has(set, f.name)) continue;
    set.push_back(f.name);
    std::string const name = (*own)->getNameAsString();
    bool const is_pointer = (*own)->getType().getNonReferenceType()->isPointerType();
    values +=
        inner + "jcc_own." + f.name + " = " + (is_pointer ? pointer_there(*own) : name) + ";\n";
  }
  std::string const kernel = "jcc_region_" + id_ + "::";
  std::string result =
      "{  // line " + std::to_string(source_.line(of.directive->getBeginLoc())) + "\n";
  if (!values.empty()) result += inner + kernel + "task_data jcc_own{};\n" + values;
  result += inner + "[[maybe_unused]] auto const jcc_task = jcc_context.add_task(" + kernel +
            "type_" + of.name + (values.empty() ? "" : ", jcc_own") + ");\n";
  if (orders_by_hand()) result += inner + "jcc_run.follow(jcc_context, jcc_task);\n";
  for (dependence const& d : of.dependences) result += dependences(d, inner);
  if (of.deferred_if != nullptr)
    result +=
        inner + "if (!(" + one_line(text(of.deferred_if)) + ")) jcc_run.undeferred(jcc_task);\n";
  return result + indent + "}";
}

void host_code::edit_inspection(Stmt const* code) {
  std::string const wait = "jcc_run.taskwait(jcc_context, jcc_region_" + id_ + "::type_wait);";
  walk(code, [&](Stmt const* s) {
    if (auto const* made = dyn_cast<OMPTaskDirective>(s)) {
      for (task const& t : region_.tasks) {
        if (t.directive == made)
          edits_.replace(source_.range(static_cast<Stmt const*>(made)), creation(t));
      }
      return false;
    }
    if (auto const* waits = dyn_cast<OMPTaskwaitDirective>(s)) {
      edits_.replace(source_.pragma(waits), is_last_wait(s) ? "" : wait);
    } else if (auto const* group = dyn_cast<OMPTaskgroupDirective>(s)) {
      text_range const whole = source_.range(s);
      edits_.replace(source_.pragma(group), "{");
      edits_.insert_behind(whole,
                           "\n" + source_.indent(whole) + (is_last_wait(s) ? "}" : wait + " }"));
    }
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = callee_of(call);
    if (callee != nullptr && has(region_.inspected, callee)) {
      text_range const name = source_.range(call->getCallee()->getSourceRange());
      edits_.replace(name, "jcc_inspect_" + id_ + "_" + callee->getNameAsString());
      add_argument(edits_, source_, call, "jcc_context, jcc_run");
    }
    return true;
  });
}

std::string host_code::inspected_function(FunctionDecl const* of) {
  edits_ = {};
  edit_inspection(of->getBody());
  write_missing_return(context_, of, report_, edits_, true);
  write_conversions(context_, of->getBody(), report_, edits_);
  std::string all = "[[maybe_unused]] jcc::app_context<jcc_region_" + id_ +
                    "::task_data>& jcc_context, [[maybe_unused]] jcc::offload_run& jcc_run";
  for (ParmVarDecl const* p : of->parameters())
    all += ", " + declaration(context_, p->getType(), p->getNameAsString()) +
           (p->hasDefaultArg() ? " = " + source_.text(p->getDefaultArg()) : "");
  return "// Tasks that " + of->getNameAsString() + " of line " +
         std::to_string(source_.line(of->getLocation())) + " makes.\nstatic " +
         declaration(context_, of->getReturnType(),
                     "jcc_inspect_" + id_ + "_" + of->getNameAsString() + "(" + all + ")") +
         " { " + names_around(of, region_) +
         edits_.render(source_, source_.range(of->getBody())).substr(1) + "\n\n";
}

std::string host_code::inspection() {
  edits_ = {};
  edit_inspection(region_.body);
  write_conversions(context_, region_.body, report_, edits_);
  std::string result =
      "// Inspection of " + where_ +
      ": goes over the tasks as a serial program would, says what each reads and writes, and\n"
      "// executes none.\nstatic void jcc_inspect_" +
      id_ + "([[maybe_unused]] jcc::app_context<jcc_region_" + id_ +
      "::task_data>& jcc_context,\n    [[maybe_unused]] jcc::offload_run& jcc_run";
  std::string const own = parameters(false);
  result += (own.empty() ? "" : ", ") + own + ") {\n";
  result += constants();
  for (VarDecl const* v : region_.privates) {
    bool const is_parameter_too = region_.capture_of(v) != nullptr;
    if (!is_parameter_too)
      result += "  " +
                declaration(context_, v->getType().getNonReferenceType().getUnqualifiedType(),
                            v->getNameAsString()) +
                ";\n";
  }
  for (DeclStmt const* d : region_.declarations)
    result += "  " + source_.text(source_.range(static_cast<Stmt const*>(d))) + "\n";
  return result + "  " + edits_.render(source_, source_.range(region_.body)) + "\n}\n\n";
}

}  // namespace gridloom::juggler::cc
