#include "verify/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "verify/verify.hpp"

namespace parley::verify {
namespace {

using diag::sanitise;
using verdict::Malformed;

enum Exit { kConfirmed = 0, kRejected = 1, kOpen = 2, kBadInput = 3 };

struct Words {
  std::string model, certificate;
  load::LoadOptions load;
  Options options;
};

template <class T>
T number(const std::string& option, const std::string& text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !(value >= T{}))
    throw Malformed{fmt::format("{} needs a number, not `{}`", option, text)};
  return value;
}

Words parse(const std::vector<std::string>& words) {
  Words w;
  w.options.threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> files;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw Malformed{fmt::format("{} needs a value", word)};
      return words[++i];
    };
    if (word == "--system")
      w.load.system_path = value();
    else if (word == "--include")
      w.load.include_folders.push_back(value());
    else if (word == "--cpp")
      w.load.compiler_preprocesses = true;
    else if (word == "--time")
      w.options.seconds = number<double>(word, value());
    else if (word == "--memory")
      w.options.memory = number<std::uint64_t>(word, value());
    else if (word == "--threads")
      w.options.threads = std::clamp(number<unsigned>(word, value()), 1U, 256U);
    else if (word == "--sample")
      w.options.share = std::min(1.0, number<double>(word, value()) / 100);
    else if (word == "--seed")
      w.options.seed = number<std::uint64_t>(word, value());
    else if (word.starts_with("--"))
      throw Malformed{fmt::format("there is no option {}", word)};
    else
      files.push_back(word);
  }
  if (files.size() != 2) throw Malformed{"needs a model and a certificate"};
  w.model = files[0];
  w.certificate = files[1];
  w.load.seconds = w.options.seconds;
  return w;
}

// Names the first file that is not the one that was checked.
void compare(const certificate::Subject& said, const certificate::Subject& here) {
  for (std::size_t i = 0; i < std::min(said.files.size(), here.files.size()); ++i)
    if (!(said.files[i] == here.files[i]))
      throw Malformed{
          fmt::format("the certificate is about another `{}`: its digest is {}, and that of `{}` is {}",
                      said.files[i].name, said.files[i].sha256, here.files[i].name, here.files[i].sha256)};
  if (said.files.size() != here.files.size())
    throw Malformed{fmt::format("the certificate is about {} files, and {} were read", said.files.size(),
                                here.files.size())};
}

void tell(const certificate::Subject& subject, const Report& report, std::ostream& out) {
  for (const auto& [name, value] : subject.constants)
    out << sanitise(fmt::format("  with {} = {}", name, value)) << '\n';
  for (const auto& [name, value] : subject.switches)
    out << sanitise(fmt::format("  with the semantics {} = {}", name, value)) << '\n';
  std::vector<std::string> footnotes;  // assumptions, each told once
  for (const ClaimReport& c : report.claims) {
    std::string marks;
    for (const std::string& text : c.assumptions) {
      auto found = std::find(footnotes.begin(), footnotes.end(), text);
      if (found == footnotes.end()) found = footnotes.insert(found, text);
      marks += fmt::format("[{}]", found - footnotes.begin() + 1);
    }
    out << fmt::format("  {:<10} {}  ({}){}\n", name_of(c.outcome.result), sanitise(c.claim),
                       sanitise(c.outcome.why), marks.empty() ? "" : ", assuming " + marks);
  }
  for (std::size_t i = 0; i < footnotes.size(); ++i)
    out << fmt::format("  [{}] assuming that {}\n", i + 1, sanitise(footnotes[i]));
  for (const std::string& name : report.unclaimed)
    out << fmt::format("  nothing is claimed about: {}\n", sanitise(name));
}

int checked(const Words& w, std::ostream& out, std::ostream& err) {
  const Head head = read_head(w.certificate);
  load::LoadOptions options = w.load;
  options.constants = head.subject.constants;
  options.switches = head.subject.switches;
  options.havoc_unknown = head.subject.havoc_unknown;
  const load::Loaded loaded = load::load(w.model, options);
  if (!loaded.ok()) {
    err << diag::render(loaded.sources, loaded.diagnostics.sorted());
    return kBadInput;
  }
  compare(head.subject, certificate::subject_of(loaded.sources, options));
  const certificate::Document document = read_document(*loaded.system, head);
  const Report report = verify(*loaded.system, document, head, w.certificate, w.options);
  const auto confirmed = std::count_if(report.claims.begin(), report.claims.end(), [](const ClaimReport& c) {
    return c.outcome.result == Result::Confirmed;
  });
  out << fmt::format("{}: {} of {} claims confirmed\n", sanitise(loaded.system->name), confirmed,
                     report.claims.size());
  tell(head.subject, report, out);
  if (report.result() == Result::Rejected) return kRejected;
  return report.result() == Result::Confirmed && report.unclaimed.empty() ? kConfirmed : kOpen;
}

}  // namespace

int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err) {
  try {
    return checked(parse(words), out, err);
  } catch (const Malformed& e) {
    err << "parley-verify: " << sanitise(e.why) << '\n';
    return kBadInput;
  }
}

}  // namespace parley::verify
