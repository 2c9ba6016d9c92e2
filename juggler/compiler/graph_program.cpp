// The program of --dag: it contains only the inspection of a region, with given values for the
// variables. Arrays get addresses, but no memory: nothing reads them.
#include <set>

#include "compiler/host_code.hpp"
#include "gridloom/number.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Limits of --dag. A graph of this size takes a few GB.
constexpr std::uint64_t most_dag_tasks = 10000000;
constexpr std::uint64_t most_dag_edges = 100000000;

/// If the type cannot hold the number, returns a description of the values that it can hold;
/// otherwise returns "". Changes an integer's text in `number` to a C++ expression.
std::string misfit(ASTContext& context, QualType type, std::string& number) {
  if (!type->isIntegralOrEnumerationType()) {
    float value = 0;
    bool const is_float = context.getTypeSize(type) == 32;
    return is_float && !read_number(number, value) ? "a float" : "";
  }
  bool const is_signed = type->isSignedIntegerOrEnumerationType();
  bool const is_bool = type->isBooleanType();
  auto const bits = is_bool ? 1U : static_cast<unsigned>(context.getTypeSize(type));
  std::string const range =
      "a whole number from " + llvm::toString(llvm::APSInt::getMinValue(bits, !is_signed), 10) +
      " to " + llvm::toString(llvm::APSInt::getMaxValue(bits, !is_signed), 10);
  // Reads all digits, including those of numbers such as 1e3.
  llvm::APFloat value(llvm::APFloat::IEEEquad());
  auto read = value.convertFromString(number, llvm::APFloat::rmTowardZero);
  if (!read) {
    llvm::consumeError(read.takeError());
    return range;
  }
  llvm::APSInt whole(bits, !is_signed);
  bool is_exact = false;
  if (value.convertToInteger(whole, llvm::APFloat::rmTowardZero, &is_exact) != llvm::APFloat::opOK)
    return range;
  number = llvm::toString(whole, 10);
  // C++ has no literal for the smallest number.
  if (whole.isNegative()) number = llvm::toString(++whole, 10) + " - 1";
  if (!is_signed || bits == 64)
    number = is_signed ? number : number + "U" + (bits == 64 ? "LL" : "");
  return {};
}

}  // namespace

void host_code::refuse_reads() const {
  auto const look = [&](Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (isa<OMPTaskDirective>(s)) return false;
      auto const* load = dyn_cast<ImplicitCastExpr>(s);
      if (load == nullptr || load->getCastKind() != CK_LValueToRValue) return true;
      Expr const* from = load->getSubExpr()->IgnoreParens();
      auto const* deref = dyn_cast<UnaryOperator>(from);
      auto const* member = dyn_cast<MemberExpr>(from);
      if (isa<ArraySubscriptExpr>(from) || (deref != nullptr && deref->getOpcode() == UO_Deref) ||
          (member != nullptr && member->isArrow()))
        report_.error(load,
                      "--dag does not know what is read here; run the program with "
                      "JUGGLER_DAG=FILE, which writes the graph");
      return true;
    });
  };
  look(region_.body);
  for (FunctionDecl const* f : region_.inspected) look(f->getBody());
  for (task const& t : region_.tasks) {
    for (dependence const& d : t.dependences) {
      for (section_dimension const& one : d.what.dimensions) {
        look(one.first);
        look(one.length);
      }
    }
  }
}

std::string host_code::graph_program() const {
  refuse_reads();
  std::set<std::string> unused;
  for (auto const& [name, value] : settings_.dag_values) unused.insert(name);
  std::string variables;
  std::string missing;
  unsigned arrays = 0;
  for (capture const& c : region_.captures) {
    if (!c.in_inspection) continue;
    std::string const name = c.variable->getNameAsString();
    QualType type = c.variable->getType().getNonReferenceType().getUnqualifiedType();
    if (type->isArrayType())
      type = context_.getPointerType(context_.getAsArrayType(type)->getElementType());
    bool const own = is_parameter(c);
    if (type->isPointerType()) {
      std::string const address = "reinterpret_cast<" + declaration(context_, type, "") +
                                  ">(std::uintptr_t{" + std::to_string(++arrays) + "} << 44)";
      QualType const whole = c.variable->getType().getNonReferenceType();
      if (own && whole->isConstantArrayType())
        variables += "  " + declaration(context_, whole, "(&" + name + ")") +
                     " = *reinterpret_cast<" + declaration(context_, whole, "(*)") +
                     ">(std::uintptr_t{" + std::to_string(arrays) + "} << 44);\n";
      else if (own)
        variables += "  " + declaration(context_, type, name) + " = " + address + ";\n";
      else if (c.variable->getType()->isPointerType())
        variables += "  " + name + " = " + address + ";\n";
      continue;
    }
    auto const value = settings_.dag_values.find(name);
    std::string given;
    if (value != settings_.dag_values.end()) {
      given = value->second;
      unused.erase(name);
    } else if (c.is_token || !type->isArithmeticType()) {
      given = "";
    } else {
      missing += (missing.empty() ? "" : ", ") + name;
      continue;
    }
    if (own) {
      variables += "  " + declaration(context_, type, name) + "{};\n";
    }
    if (given.empty()) continue;
    std::string const wrong = misfit(context_, type, given);
    if (!wrong.empty())
      report_.error(region_.directive, "--dag: " + name + "=" + given + ": expected " + wrong);
    variables +=
        "  " + name + " = static_cast<" + declaration(context_, type, "") + ">(" + given + ");\n";
  }
  if (!missing.empty())
    report_.error(region_.directive,
                  "--dag: expected values for " + missing + ", which decide the tasks");
  for (std::string const& name : unused)
    report_.error(region_.directive,
                  "--dag: '" + name + "' is no variable that the tasks of this region depend on");
  std::string const region = "jcc_region_" + id_;
  std::string const own = arguments(false);
  return "\n// Only makes the task graph of " + where_ +
         ".\nint main(int, char** jcc_files) try {\n" + variables +
         "  jcc::offload_run jcc_run(\"" + where_ +
         "\", 0);\n  jcc_run.only_inspects();\n  jcc::app_context<" + region +
         "::task_data> jcc_context(0, 0, jcc::range_matching::overlapping, " +
         std::to_string(most_dag_edges) + ", " + std::to_string(most_dag_tasks) +
         ");\n  jcc_inspect_" + id_ + "(jcc_context, jcc_run" + (own.empty() ? "" : ", ") + own +
         ");\n  jcc_context.build_csr();\n  jcc::write_graph_file(jcc_files[1], "
         "jcc_context.dag(), " +
         region + "::type_names());\n  jcc::write_graphviz(jcc_files[2], jcc_context.dag(), " +
         region +
         "::type_names());\n  std::printf(\"%zu tasks, %zu edges\", jcc_context.tasks(),\n      "
         "static_cast<std::size_t>(jcc_context.dag().children.edges()));\n} catch (std::exception "
         "const& jcc_error) {\n"
         "  jcc::end_program(\"" +
         where_ + "\", jcc_error);\n}\n";
}

}  // namespace gridloom::juggler::cc
