// Our preprocessor against gcc's on every Promela file of the shared corpus: the same tokens, and the same of
// them first on their line, or both refuse the file. Skipped where there is no corpus or no gcc.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "front/promela/lexer.hpp"
#include "front/promela/preprocess.hpp"
#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string file;
  std::vector<std::string> defines;
};

fs::path corpus() {
  const char* shared = std::getenv("PARLEY_SHARED");
  return fs::path(shared != nullptr ? shared : PARLEY_SOURCE_DIR "/../shared") / "corpus" / "promela";
}

// The files of spin-results.tsv, whether Spin accepts them or not: columns file, answer, -D flags.
std::vector<Entry> entries() {
  std::vector<Entry> result;
  std::ifstream table(corpus() / "spin-results.tsv");
  std::string line;
  std::getline(table, line);  // the names of the columns
  while (std::getline(table, line)) {
    std::istringstream columns(line);
    Entry entry;
    std::string answer, flags, flag;
    std::getline(columns, entry.file, '\t');
    std::getline(columns, answer, '\t');
    std::getline(columns, flags, '\t');
    std::istringstream words(flags);
    while (words >> flag) entry.defines.push_back(flag.substr(2));
    result.push_back(entry);
  }
  return result;
}

// One token per line, "^" before those that begin a line; "refused" after an error.
std::string shown(const Entry& entry, PreprocessBy by) {
  testing::Loaded l;
  const fs::path path = corpus() / entry.file;
  PreprocessOptions options;
  options.defines = entry.defines;
  options.by = by;
  // Some includes are meant from a folder above, as in tools/test_promela.py.
  options.include_folders = {path.parent_path().parent_path().string(),
                             path.parent_path().parent_path().parent_path().string()};
  const diag::FileId file = l.sources.add(path.string(), testing::read_file(path.string()));
  const SourceText source = preprocess(l.sources, file, options, l.diagnostics);
  if (l.diagnostics.has_errors()) return "refused";
  std::string out;
  for (const Token& token : tokenize(l.sources, source, l.diagnostics))
    out += (token.after_newline ? "^" : "") + token.text + '\n';
  return out;
}

TEST(PreprocessCorpus, SameTokensAsGcc) {
  if (!fs::exists(corpus() / "spin-results.tsv")) GTEST_SKIP() << "no corpus at " << corpus();
  if (std::system("gcc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no gcc";
  std::size_t equal = 0, refused = 0, files = 0;
  for (const Entry& entry : entries()) {
    const std::string ours = shown(entry, PreprocessBy::Parley);
    const std::string theirs = shown(entry, PreprocessBy::Compiler);
    ++files;
    equal += ours == theirs;
    refused += theirs == "refused";
    if (ours == theirs) continue;
    std::size_t at = 0;
    while (at < ours.size() && at < theirs.size() && ours[at] == theirs[at]) ++at;
    const std::size_t from = at < 60 ? 0 : at - 60;
    ADD_FAILURE() << entry.file << "\nours:  ..." << ours.substr(from, 120) << "\ngcc's: ..."
                  << theirs.substr(from, 120);
  }
  RecordProperty("equal", static_cast<int>(equal));
  std::cout << equal << " of " << files << " files are equal, " << refused << " of them refused by both\n";
  EXPECT_GT(equal, 690u);
}

}  // namespace
}  // namespace parley::front::promela
