// The parser and resolver on right models: what the tree looks like and that nothing is reported.
#include "front/text/parser.hpp"

#include <gtest/gtest.h>

#include "front/text/support.hpp"
#include "model/show.hpp"

namespace parley::front::text {
namespace {

TEST(Parser, FeaturesResolveWithoutErrors) {
  Loaded l = load_file(std::string(PARLEY_SOURCE_DIR) + "/tests/models/features.ply");
  EXPECT_EQ(l.rendered, "");
  EXPECT_TRUE(l.model.resolved);
}

}  // namespace
}  // namespace parley::front::text
