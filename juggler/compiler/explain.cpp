#include <algorithm>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

std::string names_of(std::vector<VarDecl const*> const& variables) {
  std::string result;
  for (VarDecl const* v : variables) result += (result.empty() ? "" : ", ") + v->getNameAsString();
  return result;
}

std::string text_of(ASTContext& context, section const& what) {
  std::string result = text_of(context, what, what.base);
  for (section_dimension const& d : what.dimensions) {
    std::string const first = d.first == nullptr ? "" : text_of(context, what, d.first);
    std::string const length = d.length == nullptr ? "" : text_of(context, what, d.length);
    result += "[" + first + (d.is_section ? ":" + length : "") + "]";
  }
  return result;
}

std::string copies_of(map_kind kind) {
  switch (kind) {
    case map_kind::to: return "copied in";
    case map_kind::from: return "copied out";
    case map_kind::tofrom: return "copied in and out";
    case map_kind::alloc: return "allocated on the device, not copied";
  }
  return "";
}

/// Whether the elements are const, so nothing is copied back.
bool is_constant(VarDecl const* array) {
  QualType type = array->getType().getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  while (type->isArrayType()) type = type->getAsArrayTypeUnsafe()->getElementType();
  return type.isConstQualified();
}

std::string explain(ASTContext& context, region const& of) {
  source_text const source(context);
  std::string result = source.place(of.directive->getBeginLoc()) + ": region " +
                       std::to_string(of.number) + ", in " + of.within->getNameAsString() + "\n";
  if (of.eligible_by_directive) result += "  eligible by '#pragma juggler eligible': not checked\n";
  for (mapping const& m : of.maps)
    result += "  array " +
              (m.is_implicit ? m.variable->getNameAsString() + " as a whole, by OpenMP's rule"
                             : text_of(context, m.what)) +
              ": " + copies_of(is_constant(m.variable) ? map_kind::to : m.kind) + "\n";
  for (capture const& c : of.captures) {
    if (of.map_of(c.variable) != nullptr) continue;
    std::string const name = c.variable->getNameAsString();
    if (c.in_tasks) result += "  value " + name + ": copied to the device, read by tasks\n";
    if (c.is_token) result += "  token " + name + ": its address names a dependence\n";
  }
  for (task const& t : of.tasks) {
    result += "  task " + t.name + ", line " +
              std::to_string(source.line(t.directive->getBeginLoc())) +
              (is_block_wide(t.body) ? ", by all threads of a block\n" : ", by one thread\n");
    if (!t.firstprivate.empty()) result += "    its own: " + names_of(t.firstprivate) + "\n";
    if (!t.privates.empty()) result += "    its own, unset: " + names_of(t.privates) + "\n";
    for (dependence const& d : t.dependences) {
      char const* const how = d.how == access::in    ? "reads"
                              : d.how == access::out ? "writes"
                                                     : "reads and writes";
      result += std::string("    ") + how + " " + text_of(context, d.what) + "\n";
    }
    if (t.dependences.empty()) result += "    depends on nothing\n";
  }
  for (FunctionDecl const* f : of.inspected)
    result += "  " + f->getNameAsString() + " makes tasks: the inspection calls a copy of it\n";
  for (FunctionDecl const* f : of.device_functions)
    result += "  " + f->getNameAsString() + " runs in tasks" +
              (is_block_wide(f) ? ", by all threads of a block\n" : ", by one thread\n");
  for (auto const* wait : of.last_waits)
    result += "  line " + std::to_string(source.line(wait->getBeginLoc())) +
              ": waits at the end, as the region's end does\n";
  for (std::string const& remark : of.remarks) result += "  " + remark + "\n";
  return result;
}

}  // namespace

std::string explain(program const& of) {
  std::string result;
  for (region const& r : of.regions) result += explain(*of.context, r);
  return result;
}

}  // namespace gridloom::juggler::cc
