// Import statistics over the UML corpus: which files with a state machine are read, and what happened to
// their constructs, by tool. Part of the conformance runner (make test-pssm), not of the product.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace parley::conformance {

struct FileResult {
  std::string folder;  // first folder of the path: where the file comes from
  std::string path;    // relative to the corpus
  std::string tool;
  bool imported = false;  // read without losing control structure
  bool resolved = false;  // the model passes name resolution and type checking
  bool strict = false;    // also without over-approximating text
  std::size_t machines = 0;
  std::size_t errors = 0;
  std::string first_error;
  std::map<std::string, std::size_t> read, ignored, approximated, rejected;
};

struct CorpusResult {
  std::vector<FileResult> files;    // with a state machine
  std::size_t without_machine = 0;  // UML files without one
  std::size_t imported() const;
};

CorpusResult read_corpus(const std::string& folder);
std::string corpus_table(const CorpusResult& result);  // Markdown

}  // namespace parley::conformance
