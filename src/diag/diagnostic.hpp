// Collected diagnostics: every error of an input in one run, sorted by place, each with excerpt, caret and
// hint. Front ends and checks report here and go on; nobody throws for a user's mistake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/source.hpp"

namespace parley::diag {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;  // stable id, e.g. "unknown-name"; also the rule id of machine formats
  Span span;
  std::string message;  // one sentence, no full stop at the end
  std::string hint;     // what to do about it; may be empty
  struct Related {
    Span span;
    std::string message;
  };
  std::vector<Related> related;
};

class Diagnostics {
 public:
  Diagnostic& error(std::string code, Span span, std::string message, std::string hint = {});
  Diagnostic& warning(std::string code, Span span, std::string message, std::string hint = {});
  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return items_; }
  // Sorted by place (stable), errors reported twice at one place with one code folded into the first.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> items_;
  std::size_t errors_ = 0;
};

struct RenderOptions {
  bool colour = false;
  std::size_t max_errors = 100;  // further errors are counted, not shown
};

// The text form: "file:line:col: error: message [code]", excerpt, caret line, "  hint: …".
std::string render(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics,
                   RenderOptions options = {});

// The candidate nearest to the word by edit distance if it is near enough to be what was meant, else "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// Control characters, including bidirectional marks, made visible so that a name cannot fool a terminal.
std::string sanitise(std::string_view text);

}  // namespace parley::diag
