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

char const* name_of(access how) {
  switch (how) {
    case access::in: return "in";
    case access::out: return "out";
    case access::inout: return "inout";
  }
  return "";
}

/// Code that stood in one line may come from several.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
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

bool host_code::is_last_wait(Stmt const* of) const {
  return std::find(region_.last_waits.begin(), region_.last_waits.end(), of) !=
         region_.last_waits.end();
}

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

// Variables of one name and type share a member.
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

// Globals that the region does not assign are named as they are.
bool host_code::is_parameter(capture const& of) const {
  return of.variable->hasLocalStorage() || of.variable->isStaticLocal() || of.changes;
}

std::string host_code::parameters(bool all) const {
  std::string result;
  for (capture const& c : region_.captures) {
    if (!is_parameter(c) || (!all && !c.in_inspection)) continue;
    QualType type = c.variable->getType().getNonReferenceType();
    std::string name = c.variable->getNameAsString();
    bool const is_scalar_map = region_.map_of(c.variable) != nullptr && !type->isPointerType();
    if (type->isArrayType()) {
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

// APP_DATA and the functions that tasks execute.
std::string host_code::app_data() {
  device_code device(context_, region_, report_);
  std::string functions;
  for (FunctionDecl const* f : region_.device_functions) functions += "\n" + device.function(f);
  for (task const& t : region_.tasks) functions += "\n" + device.task_function(t);
  std::string result = "// What the tasks of " + where_ +
                       " work on (APP_DATA), in the memory of the device, and what they execute.\n"
                       "struct jcc_app_data_" +
                       id_ + " {\n";
  for (capture const& c : region_.captures) {
    if (c.in_tasks)
      result += "  " + declaration(context_, device_type(c), c.variable->getNameAsString()) + ";\n";
  }
  result += functions + "};\n\n";
  if (!device.reduced_types().empty()) {
    result += "struct jcc_scratch_" + id_ + " {\n";
    int n = 0;
    for (std::string const& type : device.reduced_types()) {
      std::string const member = "reduced_" + std::to_string(n++);
      std::string const kind = "gridloom::collective_scratch<" + type + ", 256>";
      result += "  " + kind + " " + member + ";\n  GRIDLOOM_FN " + kind + "& of(" + type +
                ") { return " + member + "; }\n";
    }
    result += "};\n\n";
  }
  return result;
}

// TASK_DATA and app_kernel.
std::string host_code::kernel() {
  bool const shares = device_code::reduces(region_);
  std::string result = "struct jcc_region_" + id_ + " {\n  enum type : std::uint32_t { ";
  for (task const& t : region_.tasks) result += "type_" + t.name + ", ";
  if (orders_by_hand()) result += "type_wait, ";
  std::string names;
  for (task const& t : region_.tasks) names += (names.empty() ? "\"" : ", \"") + t.name + "\"";
  result += "};\n  static std::vector<std::string> type_names() { return {" + names +
            (orders_by_hand() ? ", \"wait\"" : "") +
            "}; }\n\n  // A task's own (TASK_DATA).\n  struct task_data {\n";
  std::vector<std::string> listed;
  for (field const& f : fields_) {
    if (std::find(listed.begin(), listed.end(), f.name) != listed.end()) continue;
    listed.push_back(f.name);
    result +=
        "    " +
        declaration(context_, f.variable->getType().getNonReferenceType().getUnqualifiedType(),
                    f.name) +
        ";\n";
  }
  result += "  };\n";
  result += shares ? "  using scratch = jcc_scratch_" + id_ + ";\n" : "  struct scratch {};\n";
  result += "  static constexpr int max_threads = 256;\n\n  jcc_app_data_" + id_ +
            " app_data;\n\n  template <gridloom::thread_group Block>\n  GRIDLOOM_FN void "
            "operator()(Block block, std::uint32_t kernel_type, task_data const& task,\n"
            "                              scratch&" +
            (shares ? " shared" : "") + ") const {\n    switch (kernel_type) {\n";
  for (task const& t : region_.tasks) {
    bool const wide = is_block_wide(t.body);
    std::string arguments;
    if (wide) arguments = shares ? "block, shared" : "block";
    for (VarDecl const* v : t.firstprivate)
      arguments += (arguments.empty() ? "" : ", ") + ("task." + field_name(v));
    result += "      case type_" + t.name + ": " + (wide ? "" : "if (block.thread_rank() == 0) ") +
              "app_data.jcc_" + t.name + "(" + arguments + "); break;\n";
  }
  return result + "    }\n  }\n};\n\n";
}

// `processInDep` and `processOutDep`: the bytes of a list item.
std::string host_code::dependences(dependence const& of, std::string const& indent) const {
  std::string const begin =
      "jcc_context.process_" + std::string(name_of(of.how)) + "_dep(jcc_task, ";
  section const& what = of.what;
  std::string base = text(what.base);
  if (!isa<DeclRefExpr>(what.base) && !isa<MemberExpr>(what.base)) base = "(" + base + ")";
  if (what.dimensions.empty()) {
    QualType const type = what.base->getType();
    auto const* array = context_.getAsConstantArrayType(type);
    if (array != nullptr)
      return indent + begin + base + ", 0, " + std::to_string(array->getSize().getZExtValue()) +
             ");\n";
    return indent + begin + "&" + base + ", 0, 1);\n";
  }
  // Rows of a section of several dimensions are ranges of their own.
  std::string result;
  std::string inner = indent;
  std::string element = base;
  std::size_t const last = what.dimensions.size() - 1;
  auto const length_of = [&](section_dimension const& d) {
    if (!d.is_section) return std::string("1");
    if (d.length != nullptr) return one_line(text(d.length));
    std::string const first = d.first == nullptr ? "0" : "(" + one_line(text(d.first)) + ")";
    return std::to_string(d.extent) + " - " + first;
  };
  for (std::size_t d = 0; d < last; ++d) {
    section_dimension const& dimension = what.dimensions[d];
    std::string const first = dimension.first == nullptr ? "0" : one_line(text(dimension.first));
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
  std::string const first = row.first == nullptr ? "0" : one_line(text(row.first));
  return result + inner + begin + element + ", " + first + ", " + length_of(row) + ");\n";
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
    if (own == of.firstprivate.end() || std::find(set.begin(), set.end(), f.name) != set.end())
      continue;
    set.push_back(f.name);
    std::string const name = (*own)->getNameAsString();
    bool const is_pointer = (*own)->getType().getNonReferenceType()->isPointerType();
    values += inner + "jcc_own." + f.name + " = " +
              (is_pointer ? "jcc_run.on_device(" + name + ", \"" + name + "\")" : name) + ";\n";
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
    FunctionDecl const* callee = call == nullptr ? nullptr : callee_of(call);
    if (callee != nullptr && std::find(region_.inspected.begin(), region_.inspected.end(),
                                       callee) != region_.inspected.end()) {
      text_range const name = source_.range(call->getCallee()->getSourceRange());
      edits_.replace(name, "jcc_inspect_" + id_ + "_" + callee->getNameAsString());
      std::string const extra = "jcc_context, jcc_run";
      if (call->getNumArgs() > 0) {
        edits_.insert_before(source_.range(call->getArg(0)->getSourceRange()), extra + ", ");
      } else {
        edits_.insert_before(source_.range(SourceRange(call->getRParenLoc())), extra);
      }
    }
    return true;
  });
}

std::string host_code::inspected_function(FunctionDecl const* of) {
  edits_ = {};
  edit_inspection(of->getBody());
  std::string all = "[[maybe_unused]] jcc::app_context<jcc_region_" + id_ +
                    "::task_data>& jcc_context, [[maybe_unused]] jcc::offload_run& jcc_run";
  for (ParmVarDecl const* p : of->parameters())
    all += ", " + declaration(context_, p->getType(), p->getNameAsString());
  return "// Tasks that " + of->getNameAsString() + " of line " +
         std::to_string(source_.line(of->getLocation())) + " makes.\nstatic " +
         declaration(context_, of->getReturnType(),
                     "jcc_inspect_" + id_ + "_" + of->getNameAsString() + "(" + all + ")") +
         " " + edits_.render(source_, source_.range(of->getBody())) + "\n\n";
}

std::string host_code::inspection() {
  edits_ = {};
  edit_inspection(region_.body);
  std::string result =
      "// Inspection of " + where_ +
      ": goes over the tasks as a serial program would, says what each reads and writes, and\n"
      "// executes none.\nstatic void jcc_inspect_" +
      id_ + "([[maybe_unused]] jcc::app_context<jcc_region_" + id_ +
      "::task_data>& jcc_context,\n    [[maybe_unused]] jcc::offload_run& jcc_run";
  std::string const own = parameters(false);
  result += (own.empty() ? "" : ", ") + own + ") {\n";
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

std::string host_code::run() {
  std::string const region = "jcc_region_" + id_;
  std::string threads = region_.num_threads == nullptr ? "0" : text(region_.num_threads);
  std::string result = "// The region of " + where_ +
                       ": copies in, inspection, one run of the device's runtime, copies out.\n"
                       "static void jcc_run_" +
                       id_ + "(" + parameters(true) + ") try {\n  jcc::offload_run jcc_run(\"" +
                       where_ + "\", " + threads + ");\n  " + region + " jcc_region{};\n";
  for (mapping const& m : region_.maps) {
    std::string const name = m.variable->getNameAsString();
    QualType const type = m.variable->getType().getNonReferenceType();
    bool const in_tasks = region_.capture_of(m.variable)->in_tasks;
    std::string what = name + ", 0, ";
    if (m.what.dimensions.empty()) {
      auto const* array = context_.getAsConstantArrayType(type);
      what = array != nullptr ? what + std::to_string(array->getSize().getZExtValue())
                              : "&" + name + ", 0, 1";
    } else {
      section_dimension const& d = m.what.dimensions.front();
      std::string const first = d.first == nullptr ? "0" : one_line(text(d.first));
      std::string length = "1";
      if (d.is_section)
        length = d.length != nullptr ? one_line(text(d.length))
                                     : std::to_string(d.extent) + " - (" + first + ")";
      what = name + ", " + first + ", " + length;
    }
    result += "  " + (in_tasks ? "jcc_region.app_data." + name + " = " : std::string("(void)")) +
              "jcc_run.map(jcc::map_type::" + name_of(m.kind) + ", \"" + name + "\", " + what +
              ");\n";
  }
  for (capture const& c : region_.captures) {
    if (c.in_tasks && region_.map_of(c.variable) == nullptr)
      result += "  jcc_region.app_data." + c.variable->getNameAsString() + " = " +
                c.variable->getNameAsString() + ";\n";
  }
  std::string const own = arguments(false);
  return result + "  jcc::app_context<" + region + "::task_data> jcc_context;\n" +
         "  jcc_run.inspect([&] { jcc_inspect_" + id_ + "(jcc_context, jcc_run" +
         (own.empty() ? "" : ", ") + own +
         "); });\n  jcc_run.execute<jcc::" + settings_.policy_type +
         ">(jcc_context, jcc_region);\n} catch (std::exception const& jcc_error) {\n"
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
