#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace planner {

/// One finding about the user's input: what is wrong, where, and what to do about it.
struct Diagnostic {
  std::string code;      ///< stable identifier, e.g. "unknown-key"
  std::string message;   ///< one sentence, without a trailing full stop
  std::string hint;      ///< how to fix it; may be empty
  std::string file;      ///< file as the user named it; empty when not about a file
  int line = 0;          ///< 1-based; 0 when unknown
  int column = 0;        ///< 1-based, in bytes; 0 when unknown
  bool closest = false;  ///< the hint names what comes closest, in a sentence of its own

  bool operator==(const Diagnostic&) const = default;
};

/// "file:line:column: message", as compilers print it.
std::string to_string(const Diagnostic& diagnostic);

/// Bad input. Carries every diagnostic found, so that one run reports them all.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> found);
  explicit InputError(Diagnostic single) : InputError(std::vector{std::move(single)}) {}
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A wrong flag or value on the command line or in a request (exit code 2, where InputError is 3).
class UsageError : public InputError {
 public:
  using InputError::InputError;
};

/// The user ended a long computation (exit code 130).
class Interrupted : public InputError {
 public:
  Interrupted() : InputError(Diagnostic{.code = "interrupted", .message = "interrupted"}) {}
};

/// A sound request that nothing can satisfy (exit code 4).
class InfeasibleError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace planner
