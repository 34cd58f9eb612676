// The directives of our preprocessor: C99, 6.10.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "front/promela/preprocess_condition.hpp"
#include "front/promela/preprocessor.hpp"

namespace parley::front::promela {
namespace {

constexpr std::array kIgnored = {"pragma", "ident", "sccs"};

}  // namespace

void Preprocessor::directive(const PpToken& hash) {
  const PpToken word = scanner().next_on_line();
  if (word.kind != PpKind::End) {
    const std::string& name = text(word);
    // Conditions are followed in text that is skipped too, to find its end.
    if (name == "if") {
      if_condition(word);
    } else if (name == "ifdef") {
      if_defined(word, true);
    } else if (name == "ifndef") {
      if_defined(word, false);
    } else if (name == "elif") {
      else_if(word);
    } else if (name == "else") {
      otherwise(word);
    } else if (name == "endif") {
      end_if(word);
    } else if (!skips()) {
      if (name == "define") {
        define(word);
      } else if (name == "undef") {
        undefine(word);
      } else if (name == "include") {
        return include(word);
      } else if (name == "error") {
        error("error-directive", diag::join(hash.place, word.place), "#error " + rest_of_line_as_text());
      } else if (name == "warning") {
        diagnostics_.warning("warning-directive", diag::join(hash.place, word.place),
                             "#warning " + rest_of_line_as_text());
      } else if (name == "line") {
        line_marker(word, expander_.expand_line(scanner().rest_of_line()));
      } else if (word.kind == PpKind::Number) {
        Line line = {word};
        for (const PpToken& t : scanner().rest_of_line()) line.push_back(t);
        line_marker(word, std::move(line));
      } else if (std::find(kIgnored.begin(), kIgnored.end(), name) == kIgnored.end()) {
        unknown_directive(word);
      }
    }
  }
  scanner().rest_of_line();
}

void Preprocessor::unknown_directive(const PpToken& word) {
  const std::string near =
      diag::did_you_mean(text(word), {"define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else",
                                      "endif", "error", "warning", "line", "pragma"});
  error("unknown-directive", word.place,
        fmt::format("there is no directive '#{}'", diag::sanitise(text(word))),
        near.empty() ? "a line that starts with # is for the preprocessor"
                     : fmt::format("did you mean '#{}'?", near));
}

void Preprocessor::define(const PpToken& word) {
  std::optional<Macro> macro =
      read_definition(scanner().rest_of_line(), word.place, spellings_, diagnostics_);
  if (macro) macros_.define(std::move(*macro), spellings_, diagnostics_);
}

std::optional<PpToken> Preprocessor::name_behind(const PpToken& word) {
  const PpToken name = scanner().next_on_line();
  if (name.kind == PpKind::Name) return name;
  error("bad-directive", name.kind == PpKind::End ? word.place : name.place,
        fmt::format("#{} needs the name of a macro", text(word)), fmt::format("write #{} NAME", text(word)));
  return std::nullopt;
}

void Preprocessor::undefine(const PpToken& word) {
  if (const std::optional<PpToken> name = name_behind(word)) macros_.undefine(name->spelling);
}

void Preprocessor::open_conditional(const PpToken& word, bool is_true) {
  const bool outer_counts = !skips();
  conditionals_.push_back({word.place, outer_counts && is_true, outer_counts && !is_true, false});
}

void Preprocessor::if_defined(const PpToken& word, bool wanted) {
  if (skips()) return open_conditional(word, false);
  const std::optional<PpToken> name = name_behind(word);
  open_conditional(word, name && (macros_.find(name->spelling) != nullptr) == wanted);
}

void Preprocessor::if_condition(const PpToken& word) {
  open_conditional(word, !skips() && condition(word).value_or(false));
}

std::optional<bool> Preprocessor::condition(const PpToken& word) {
  const std::size_t errors = diagnostics_.error_count();
  const Line line = expander_.expand_condition(scanner().rest_of_line());
  if (diagnostics_.error_count() > errors) return std::nullopt;  // of a macro in it; one error is enough
  return evaluate_condition(line, word.place, spellings_, diagnostics_);
}

bool Preprocessor::inside_conditional(const PpToken& word) {
  if (conditionals_.size() == files_.back()->open_conditionals) {
    error("unmatched-conditional", word.place, fmt::format("#{} stands outside any condition", text(word)),
          "there is no #if, #ifdef or #ifndef for it in this file");
    return false;
  }
  if (conditionals_.back().has_else && text(word) != "endif") {
    error("unmatched-conditional", word.place, fmt::format("#{} stands behind #else", text(word)),
          "#else is the last branch of a condition")
        .related.push_back({conditionals_.back().place, "the condition"});
    return false;
  }
  return true;
}

void Preprocessor::else_if(const PpToken& word) {
  if (!inside_conditional(word)) return;
  conditionals_.back().is_read = false;
  if (!conditionals_.back().may_be_read || !condition(word).value_or(false)) return;
  conditionals_.back().is_read = true;
  conditionals_.back().may_be_read = false;
}

void Preprocessor::otherwise(const PpToken& word) {
  if (!inside_conditional(word)) return;
  Conditional& conditional = conditionals_.back();
  conditional.has_else = true;
  conditional.is_read = std::exchange(conditional.may_be_read, false);
}

void Preprocessor::end_if(const PpToken& word) {
  if (inside_conditional(word)) conditionals_.pop_back();
}

// The name as written, or what macros make of the line.
std::optional<HeaderName> Preprocessor::included_name(const PpToken& word) {
  if (std::optional<HeaderName> name = scanner().header_name()) return name;
  const Line line = expander_.expand_line(scanner().rest_of_line());
  if (line.size() == 1 && line[0].kind == PpKind::String) {
    const std::string& quoted = text(line[0]);
    return HeaderName{quoted.substr(1, quoted.size() - 2), true, line[0].place};
  }
  error("bad-directive", word.place, "#include needs the name of a file", "write #include \"file\"");
  return std::nullopt;
}

void Preprocessor::include(const PpToken& word) {
  const std::optional<HeaderName> name = included_name(word);
  scanner().rest_of_line();
  if (!name) return;
  const OpenFile& includer = *files_.back();
  std::variant<IncludedFile, IncludeRefusal> found = finder_.find(*name, includer.folder);
  if (const auto* refusal = std::get_if<IncludeRefusal>(&found)) {
    error(refusal->code, name->place, refusal->message, refusal->hint);
    return;
  }
  auto& included = std::get<IncludedFile>(found);
  if (files_.size() >= budget_.limits().include_depth) {
    const bool is_circle = std::any_of(files_.begin(), files_.end(), [&](const auto& open) {
      return open->real_path == included.real_path;
    });
    throw PreprocessLimitReached{
        is_circle ? fmt::format("'{}' includes itself", diag::sanitise(name->path))
                  : fmt::format("more than {} files include one another", budget_.limits().include_depth),
        "keep the text of a file that may be included twice between #ifndef NAME, #define NAME and #endif",
        name->place};
  }
  budget_.read_include(included.text.size(), name->place);
  const diag::FileId file = sources_.add(included.name, std::move(included.text));
  open(file, std::move(included.folder), std::move(included.real_path), name->place);
}

// #line 12 "file", or # 12 "file" as preprocessors write it. It changes __LINE__ and __FILE__; messages go on
// to show the text that is really there.
void Preprocessor::line_marker(const PpToken& word, Line line) {
  std::uint32_t number = 0;
  const std::string digits = line.empty() ? std::string() : text(line[0]);
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = problem == std::errc() && stop == digits.data() + digits.size() && !digits.empty();
  if (!is_number || (line.size() > 1 && line[1].kind != PpKind::String)) {
    error("bad-directive", word.place, "this line marker has no line number, or no file name behind it",
          "write #line 12 \"file\"");
    return;
  }
  OpenFile& open = *files_.back();
  open.line_shift = std::int64_t{number} - (std::int64_t{sources_.position(word.place).line} + 1);
  if (line.size() > 1) open.presumed_name = text(line[1]).substr(1, text(line[1]).size() - 2);
}

std::string Preprocessor::rest_of_line_as_text() {
  std::string words;
  for (const PpToken& token : scanner().rest_of_line()) {
    if (token.after_space && !words.empty()) words += ' ';
    words += text(token);
  }
  return diag::sanitise(words);
}

}  // namespace parley::front::promela
