// parley verify: hands a certificate to parley-verify, a program of its own that links no engine, and becomes
// that program. What is checked, and how, is in verify/.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/supervisor.hpp"

namespace parley::cli {
namespace {

// A share of all states: "1%", "0.5 %", "10".
double percentage(const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    value = -1;
  }
  const std::string rest = text.substr(std::min(used, text.size()));
  if (!(value > 0 && value <= 100) || (!rest.empty() && rest != "%" && rest != " %"))
    throw UsageError{fmt::format("--sample needs a percentage above 0, not `{}`", diag::sanitise(text)), {}};
  return value;
}

std::vector<std::string> words_for_verifier(const Arguments& a) {
  std::vector<std::string> words = {"parley-verify"};
  const auto put = [&](const char* option, std::string value) {
    words.emplace_back(option);
    words.push_back(std::move(value));
  };
  if (a.has("system")) put("--system", a.get("system"));
  for (const std::string& folder : a.all("include")) put("--include", folder);
  if (a.has("cpp")) words.emplace_back("--cpp");
  if (a.has("time")) put("--time", fmt::format("{}", seconds_value("time", a.get("time"))));
  if (const auto bytes = memory_value(a)) put("--memory", std::to_string(*bytes));
  if (a.has("threads")) put("--threads", std::to_string(count_value("threads", a.get("threads"))));
  if (a.has("sample")) put("--sample", fmt::format("{}", percentage(a.get("sample"))));
  if (a.has("seed")) put("--seed", std::to_string(count_value("seed", a.get("seed"))));
  // A file whose name begins like an option is still a file.
  for (const std::string& file : a.positional) words.push_back(file.starts_with("-") ? "./" + file : file);
  return words;
}

int run_verify(const Arguments& a, Terminal& t) {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "parley-verify";
  std::vector<std::string> words = words_for_verifier(a);
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  t.out.flush();
  t.err.flush();
  if (t.supervisor != nullptr) t.supervisor->hand_over();
  execv(program.c_str(), argv.data());
  t.err << "parley: the program parley-verify is not beside this one\n";
  return kInternalError;
}

}  // namespace

Command verify_command() {
  Command c;
  c.name = "verify";
  c.summary = "check a certificate with a program that shares nothing with the engines";
  c.arguments = "MODEL CERTIFICATE";
  c.description =
      "CERTIFICATE was written by `parley check --certificate` or `parley bounds --certificate`; it says "
      "which "
      "constants and switches belong to it. Exit status 0: all claims are confirmed, 1: one is rejected, 2: "
      "something is left open (a limit, a sample, a property without a claim), 3: the file is malformed or "
      "about "
      "another model.";
  c.options = {{"system", "FILE.ply", "UML: the text model that was named when the certificate was made."},
               {"include", "FOLDER", "Promela: a folder of #include; may be repeated.", {}, true, 'I'},
               {"cpp", "", "Promela: preprocesses with the compiler, as when the certificate was made."},
               {"time", "SECONDS", "Stops after this time (20, 20s, 3m)."},
               {"memory", "BYTES", "Keeps at most this much of a closed set in memory (500M, 4G)."},
               {"threads", "N", "How many threads walk over a closed set."},
               {"sample", "PERCENT", "Looks at this share of the states of a closed set only."},
               {"seed", "N", "Which states a sample takes."}};
  c.min_arguments = c.max_arguments = 2;
  c.run = run_verify;
  return c;
}

}  // namespace parley::cli
