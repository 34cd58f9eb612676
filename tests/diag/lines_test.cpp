// Lines and columns, whatever ends a line.
#include <gtest/gtest.h>

#include "diag/source.hpp"

namespace parley::diag {
namespace {

std::string place(const std::string& text, const std::string& word) {
  SourceMap sources;
  const FileId file = sources.add("f", text);
  const auto at = static_cast<std::uint32_t>(text.find(word));
  return sources.place({file, at, at + 1});
}

TEST(Lines, EndAtLineFeedsCarriageReturnsAndBoth) {
  EXPECT_EQ(place("one\ntwo\n here", "here"), "f:3:2");
  EXPECT_EQ(place("one\r\ntwo\r\n here", "here"), "f:3:2");
  EXPECT_EQ(place("one\rtwo\r here", "here"), "f:3:2");
  EXPECT_EQ(place("one\r\n\rtwo\n\r here", "here"), "f:5:2");
}

TEST(Lines, ACarriageReturnAloneIsReadAsALineFeed) {
  SourceMap sources;
  const FileId file = sources.add("f", "one\rtwo\r\nthree\r");
  EXPECT_EQ(sources.text(file), "one\ntwo\r\nthree\n");
  EXPECT_EQ(sources.line_text(file, 5), "two");
}

TEST(Lines, AByteOrderMarkTakesNoColumn) {
  const std::string text = "\xEF\xBB\xBFone\ntwo";
  EXPECT_EQ(place(text, "one"), "f:1:1");
  EXPECT_EQ(place(text, "two"), "f:2:1");
  SourceMap sources;
  const FileId file = sources.add("f", text);
  EXPECT_EQ(sources.line_text(file, 0), "one");
  EXPECT_EQ(sources.place({file, 0, 3}), "f:1:1");
}

}  // namespace
}  // namespace parley::diag
