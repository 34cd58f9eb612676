// Reads `# 12 "file"` markers: from lines of preprocessed text to places in the user's files.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "front/promela/preprocess_external.hpp"
#include "front/promela/preprocess_include.hpp"

namespace parley::front::promela {
namespace {

// Files are only shown in messages; a larger one is not worth its memory there.
constexpr std::uint64_t kMaxShownBytes = 16u << 20;

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class MarkerReader {
 public:
  MarkerReader(diag::SourceMap& sources, diag::FileId file)
      : sources_(sources), user_file_(file), file_(file) {
    result_.file = file;
    line_starts_ = starts_of(file);
  }

  SourceText run(const std::string& marked) {
    for (std::size_t begin = 0; begin < marked.size();) {
      const std::size_t end = std::min(marked.find('\n', begin), marked.size());
      const std::string_view line = std::string_view(marked).substr(begin, end - begin);
      begin = end + 1;
      if (line.starts_with('#') && marker(line)) continue;
      if (!line.starts_with("#pragma") && !line.starts_with("#ident")) {
        pieces_of(line);
        result_.text += line;
      }
      result_.text += '\n';
      ++line_;
    }
    return std::move(result_);
  }

 private:
  // False for what is no marker.
  bool marker(std::string_view line) {
    std::size_t at = 1;
    while (at < line.size() && is_space(line[at])) ++at;
    std::uint32_t number = 0;
    const auto [stop, problem] = std::from_chars(line.data() + at, line.data() + line.size(), number);
    if (problem != std::errc()) return false;
    line_ = number;
    const std::size_t open = line.find('"'), close = line.rfind('"');
    if (open != std::string_view::npos && close > open) {
      file_ = file_named(std::string(line.substr(open + 1, close - open - 1)));
      line_starts_ = starts_of(file_);
    }
    return true;
  }

  diag::FileId file_named(const std::string& name) {
    if (name == "<stdin>" || name.empty()) return user_file_;
    if (name[0] == '<') return {};
    if (const auto found = files_.find(name); found != files_.end()) return found->second;
    const auto text = read_regular_file(name, name, kMaxShownBytes);
    const auto* read = std::get_if<std::string>(&text);
    return files_[name] = read != nullptr ? sources_.add(name, *read) : diag::FileId();
  }

  std::vector<std::uint32_t> starts_of(diag::FileId file) const {
    if (!file.valid()) return {};
    std::vector<std::uint32_t> starts = {0};
    const std::string& text = sources_.text(file);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
    return starts;
  }

  void pieces_of(std::string_view line) {
    std::size_t search_from = 0;
    for (std::size_t at = 0; at < line.size();) {
      if (is_space(line[at])) {
        ++at;
        continue;
      }
      std::size_t end = at + 1;
      while (is_word(line[at]) && end < line.size() && is_word(line[end])) ++end;
      const auto begin = static_cast<std::uint32_t>(result_.text.size() + at);
      result_.pieces.push_back({begin, place_of(line.substr(at, end - at), search_from)});
      at = end;
    }
  }

  diag::Span place_of(std::string_view word, std::size_t& search_from) const {
    if (!file_.valid()) return {};
    const std::string& whole = sources_.text(file_);
    if (line_ == 0 || line_ > line_starts_.size()) {
      const auto size = static_cast<std::uint32_t>(whole.size());
      return {file_, size, size};
    }
    const std::uint32_t from = line_starts_[line_ - 1];
    const std::string_view line = sources_.line_text(file_, from);
    for (std::size_t hit = line.find(word, search_from); hit != std::string_view::npos;
         hit = line.find(word, hit + 1)) {
      const std::size_t end = hit + word.size();
      if (is_word(word[0]) &&
          ((hit > 0 && is_word(line[hit - 1])) || (end < line.size() && is_word(line[end]))))
        continue;
      search_from = end;
      return {file_, static_cast<std::uint32_t>(from + hit), static_cast<std::uint32_t>(from + end)};
    }
    std::size_t first = 0, last = line.size();
    while (first < last && is_space(line[first])) ++first;
    while (last > first && is_space(line[last - 1])) --last;
    return {file_, static_cast<std::uint32_t>(from + first), static_cast<std::uint32_t>(from + last)};
  }

  diag::SourceMap& sources_;
  diag::FileId user_file_, file_;
  std::uint32_t line_ = 1;
  std::vector<std::uint32_t> line_starts_;  // of file_
  std::map<std::string, diag::FileId> files_;
  SourceText result_;
};

}  // namespace

SourceText follow_markers(diag::SourceMap& sources, diag::FileId file, const std::string& marked) {
  return MarkerReader(sources, file).run(marked);
}

}  // namespace parley::front::promela
