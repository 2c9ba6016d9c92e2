#include "compiler/host_code.hpp"

#include <algorithm>

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

char const* name_of(map_kind kind) {
  switch (kind) {
    case map_kind::to: return "to";
    case map_kind::from: return "from";
    case map_kind::tofrom: return "tofrom";
    case map_kind::alloc: return "alloc";
  }
  return "";
}

}  // namespace

host_code::host_code(ASTContext& context, region const& of, reporter const& report,
                     emit_settings const& settings)
    : context_(context),
      source_(context),
      region_(of),
      report_(report),
      settings_(settings),
      id_(std::to_string(of.number)),
      where_(source_.place(of.directive->getBeginLoc())) {
  collect_fields();
}

bool host_code::is_last_wait(Stmt const* of) const { return has(region_.last_waits, of); }

bool host_code::orders_by_hand() const {
  bool found = std::any_of(region_.tasks.begin(), region_.tasks.end(),
                           [](task const& t) { return t.deferred_if != nullptr; });
  auto const look = [&](Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      found = found ||
              ((isa<OMPTaskwaitDirective>(s) || isa<OMPTaskgroupDirective>(s)) && !is_last_wait(s));
      return !isa<OMPTaskDirective>(s);
    });
  };
  look(region_.body);
  for (FunctionDecl const* f : region_.inspected) look(f->getBody());
  return found;
}

// Variables with the same name and type share one member.
void host_code::collect_fields() {
  for (task const& t : region_.tasks) {
    for (VarDecl const* v : t.firstprivate) {
      auto const type = v->getType().getNonReferenceType().getUnqualifiedType();
      std::string name = v->getNameAsString();
      bool known = false;
      unsigned others = 0;
      for (field const& f : fields_) {
        if (f.variable->getName() != v->getName()) continue;
        ++others;
        if (context_.hasSameType(f.variable->getType().getNonReferenceType().getUnqualifiedType(),
                                 type)) {
          name = f.name;
          known = true;
          break;
        }
      }
      if (!known && others > 0) name += "_" + std::to_string(others + 1);
      bool const is_listed = std::any_of(fields_.begin(), fields_.end(),
                                         [&](field const& f) { return f.variable == v; });
      if (!is_listed) fields_.push_back({v, name});
    }
  }
}

std::string host_code::field_name(VarDecl const* variable) const {
  for (field const& f : fields_) {
    if (f.variable == variable) return f.name;
  }
  return {};
}

QualType host_code::device_type(capture const& of) const {
  QualType const type = of.variable->getType().getNonReferenceType();
  if (type->isArrayType())
    return context_.getPointerType(context_.getAsArrayType(type)->getElementType());
  if (region_.map_of(of.variable) != nullptr && !type->isPointerType())
    return context_.getPointerType(type);
  return type.getUnqualifiedType();
}

// Globals that the region does not assign need no parameter.
bool host_code::is_parameter(capture const& of) const {
  return of.variable->hasLocalStorage() || of.variable->isStaticLocal() || of.changes;
}

std::string host_code::name_in_run(VarDecl const* variable) const {
  std::string const name = variable->getNameAsString();
  capture const* own = region_.capture_of(variable);
  if (own != nullptr && is_parameter(*own)) return name;
  bool const is_hidden =
      std::any_of(region_.captures.begin(), region_.captures.end(), [&](capture const& c) {
        return is_parameter(c) && c.variable->getName() == variable->getName();
      });
  bool const is_outermost = variable->getDeclContext()->getRedeclContext()->isTranslationUnit();
  if (!is_hidden && is_outermost) return name;
  PrintingPolicy policy(context_.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  std::string whole;
  llvm::raw_string_ostream out(whole);
  variable->printQualifiedName(out, policy);
  return "::" + out.str();
}

std::string host_code::parameters(bool all) const {
  std::string result;
  for (capture const& c : region_.captures) {
    if (!is_parameter(c) || (!all && !c.in_inspection)) continue;
    QualType type = c.variable->getType().getNonReferenceType();
    std::string name = c.variable->getNameAsString();
    bool const is_scalar_map = region_.map_of(c.variable) != nullptr && !type->isPointerType();
    if (type->isConstantArrayType()) {
      // A reference keeps the array's size.
      name = "(&" + name + ")";
    } else if (type->isArrayType()) {
      type = context_.getPointerType(context_.getAsArrayType(type)->getElementType());
    } else if (c.is_token || is_scalar_map) {
      name = "& " + name;
    }
    result += (result.empty() ? "" : ", ") + declaration(context_, type, name);
  }
  return result;
}

std::string host_code::arguments(bool all) const {
  std::string result;
  for (capture const& c : region_.captures) {
    if (is_parameter(c) && (all || c.in_inspection))
      result += (result.empty() ? "" : ", ") + c.variable->getNameAsString();
  }
  return result;
}

// Writes APP_DATA and the functions that tasks execute.
std::string host_code::app_data() {
  device_code device(context_, region_, report_);
  std::string functions;
  for (FunctionDecl const* f : region_.device_functions) functions += "\n" + device.function(f);
  for (task const& t : region_.tasks) functions += "\n" + device.task_function(t);
  std::string result = "// What the tasks of " + where_ +
                       " work on (APP_DATA), in the memory of the device, and what they execute.\n"
                       "struct jcc_app_data_" +
                       id_ + " {\n";
  for (auto const& [name, constant] : region_.task_constants)
    result += "  static " + constant + "\n";
  for (capture const& c : region_.captures) {
    if (c.in_tasks)
      result += "  " + declaration(context_, device_type(c), c.variable->getNameAsString()) + ";\n";
  }
  result += functions + "};\n\n";
  if (!device.reduced_types().empty()) {
    result += "struct jcc_scratch_" + id_ + " {\n";
    int n = 0;
    for (std::string const& type : device.reduced_types()) {
      std::string const member = "jcc_reduced_" + std::to_string(n++);
      std::string const kind = "gridloom::collective_scratch<" + type + ", 256>";
      result += "  " + kind + " " + member + ";\n  GRIDLOOM_FN " + kind + "& jcc_of(" + type +
                ") { return " + member + "; }\n";
    }
    result += "};\n\n";
  }
  return result;
}

// Writes TASK_DATA and app_kernel.
std::string host_code::kernel() {
  bool const shares = device_code::reduces(region_);
  std::string result = "// A task's own (TASK_DATA).\nstruct jcc_task_data_" + id_ + " {\n";
  std::vector<std::string> listed;
  for (field const& f : fields_) {
    if (has(listed, f.name)) continue;
    listed.push_back(f.name);
    result +=
        "  " +
        declaration(context_, f.variable->getType().getNonReferenceType().getUnqualifiedType(),
                    f.name) +
        ";\n";
  }
  result += "};\n\nstruct jcc_region_" + id_ + " {\n  enum : std::uint32_t { ";
  for (task const& t : region_.tasks) result += "type_" + t.name + ", ";
  if (orders_by_hand()) result += "type_wait, ";
  std::string names;
  for (task const& t : region_.tasks) names += (names.empty() ? "\"" : ", \"") + t.name + "\"";
  result += "};\n  static std::vector<std::string> type_names() { return {" + names +
            (orders_by_hand() ? ", \"wait\"" : "") + "}; }\n\n  using task_data = jcc_task_data_" +
            id_ + ";\n";
  result += shares ? "  using scratch = jcc_scratch_" + id_ + ";\n" : "  struct scratch {};\n";
  result +=
      "  static constexpr int max_threads = 256;\n\n  jcc_app_data_" + id_ +
      " app_data;\n\n  template <gridloom::thread_group JccBlock>\n  GRIDLOOM_FN void "
      "operator()([[maybe_unused]] JccBlock jcc_block, std::uint32_t jcc_type, [[maybe_unused]] "
      "task_data const& jcc_task,\n"
      "                              scratch&" +
      (shares ? " jcc_shared" : "") + ") const {\n    switch (jcc_type) {\n";
  for (task const& t : region_.tasks) {
    bool const wide = is_block_wide(t.body);
    std::string arguments;
    if (wide) arguments = shares ? "jcc_block, jcc_shared" : "jcc_block";
    for (VarDecl const* v : t.firstprivate)
      arguments += (arguments.empty() ? "" : ", ") + ("jcc_task." + field_name(v));
    result += "      case type_" + t.name + ": " +
              (wide ? "" : "if (jcc_block.thread_rank() == 0) ") + "app_data.jcc_" + t.name + "(" +
              arguments + "); break;\n";
  }
  return result + "    }\n  }\n};\n\n";
}

std::string host_code::constants() const {
  std::string result;
  for (auto const& [name, constant] : region_.constants)
    result += "  [[maybe_unused]] " + constant + "\n";
  return result;
}

std::string host_code::run() {
  std::string const region = "jcc_region_" + id_;
  std::string threads = region_.num_threads == nullptr ? "0" : text(region_.num_threads);
  std::string result = "// The region of " + where_ +
                       ": copies in, inspection, one run of the device's runtime, copies out.\n"
                       "static void jcc_run_" +
                       id_ + "(" + parameters(true) + ") try {\n" + constants() +
                       "  jcc::offload_run jcc_run(\"" + where_ + "\", " + threads + ");\n  " +
                       region + " jcc_region{};\n";
  for (mapping const& m : region_.maps) {
    std::string const name = m.variable->getNameAsString();
    QualType const type = m.variable->getType().getNonReferenceType();
    bool const in_tasks = region_.capture_of(m.variable)->in_tasks;
    std::string const there = name_in_run(m.variable);
    std::string what = there + ", 0, ";
    if (m.what.dimensions.empty()) {
      auto const* array = context_.getAsConstantArrayType(type);
      what = array != nullptr ? what + std::to_string(array->getSize().getZExtValue())
                              : "&" + there + ", 0, 1";
    } else {
      section_dimension const& d = m.what.dimensions.front();
      std::string const first = d.first == nullptr ? "0" : text_of(context_, m.what, d.first);
      std::string length = "1";
      if (d.is_section)
        length = d.length != nullptr ? text_of(context_, m.what, d.length)
                                     : std::to_string(d.extent) + " - (" + first + ")";
      what = there + ", " + first + ", " + length;
    }
    result += "  " + (in_tasks ? "jcc_region.app_data." + name + " = " : std::string("(void)")) +
              "jcc_run.map(jcc::map_type::" + name_of(m.kind) + ", \"" + name + "\", " + what +
              ");\n";
  }
  for (capture const& c : region_.captures) {
    if (c.in_tasks && region_.map_of(c.variable) == nullptr)
      result += "  jcc_region.app_data." + c.variable->getNameAsString() + " = " +
                name_in_run(c.variable) + ";\n";
  }
  for (VarDecl const* v : region_.read_through) {
    std::string const name = name_in_run(v);
    bool const is_array = v->getType().getNonReferenceType()->isArrayType();
    result += "  jcc_run.reads_through(\"" + v->getNameAsString() + "\", " + name +
              (is_array ? ", sizeof " + name : std::string()) + ");\n";
  }
  std::string const own = arguments(false);
  return result + "  jcc::app_context<" + region + "::task_data> jcc_context;\n" +
         "  jcc_run.inspect([&] { jcc_inspect_" + id_ + "(jcc_context, jcc_run" +
         (own.empty() ? "" : ", ") + own +
         "); });\n  jcc_run.execute<jcc::" + settings_.policy_type +
         ", gridloom::worker_places>(jcc_context, jcc_region);\n} catch (std::exception const& "
         "jcc_error) {\n"
         "  jcc::end_program(\"" +
         where_ + "\", jcc_error);\n}\n\n";
}

std::string host_code::definitions() {
  std::string result = app_data() + kernel();
  for (FunctionDecl const* f : region_.inspected) result += inspected_function(f);
  return result + inspection() + run();
}

std::string host_code::call() const { return "jcc_run_" + id_ + "(" + arguments(true) + ");"; }

}  // namespace gridloom::juggler::cc
