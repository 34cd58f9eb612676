// The automata of proctypes, against the state tables of Spin 6.5.2:
//   spin -o1 -o2 -o3 -a model.pml; gcc -o pan pan.c; ./pan -d
// Spin numbers states in the order in which it reads statements, as we do, so the tables can be compared as
// they are: "from -> to flags line", flags A (keeps control), D (d_step), e (end state). The insides of a
// d_step are not in Spin's tables.
#include <gtest/gtest.h>

#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

using testing::show_automaton;

TEST(Automaton, LoopsSkipTheirEndsAndBreakTargets) {
  EXPECT_EQ(show_automaton("byte x;\n"
                           "active proctype A() {\n"
                           "  do\n"
                           "  :: x < 3 -> x++\n"
                           "  :: x == 2 -> break\n"
                           "  :: else -> goto out\n"
                           "  od;\n"
                           "  x = 0;\n"
                           "out: skip\n"
                           "}\n",
                           "A"),
            // pan -d: 7->2 (x<3), 7->10 (x==2), 7->11 (else), 2->7, 10->11, 11->12, 12->0
            "2 -> 7 --- 4\n"
            "7 -> 2 --- 4\n"
            "7 -> 10 --- 5\n"
            "7 -> 11 --- 6\n"
            "10 -> 11 --- 8\n"
            "11 -> 12 --- 9\n"
            "12 -> 0 --e 10\n");
}

TEST(Automaton, AtomicKeepsControlUntilItsLastStep) {
  EXPECT_EQ(show_automaton("byte x;\n"
                           "active proctype A() {\n"
                           "  atomic { x == 0; if :: x = 1 :: x = 2 fi };\n"
                           "  atomic { x++; goto end1 };\n"
                           "end1: x = 3\n"
                           "}\n",
                           "A"),
            // pan -d: 6->4 A, 4->5 A twice, 5->9 .(goto), 9->8 A, 8->10 goto, 10->11 e, 11->0
            "4 -> 5 A-- 3\n"
            "4 -> 5 A-- 3\n"
            "5 -> 9 --- 3\n"
            "6 -> 4 A-- 3\n"
            "8 -> 10 --- 4\n"
            "9 -> 8 A-- 4\n"
            "10 -> 11 --e 5\n"
            "11 -> 0 --e 6\n");
}

TEST(Automaton, EscapesComeFirst) {
  EXPECT_EQ(show_automaton("byte x;\n"
                           "active proctype A() {\n"
                           "  { x = 1;\n"
                           "    x = 2 } unless {\n"
                           "    x == 5 -> x = 6 };\n"
                           "  x = 7\n"
                           "}\n",
                           "A"),
            // pan -d: 1->4 (x==5), 1->2, 2->4, 2->7, 4->7, 7->8, 8->0
            "1 -> 4 --- 5\n"
            "1 -> 2 --- 3\n"
            "2 -> 4 --- 5\n"
            "2 -> 7 --- 4\n"
            "4 -> 7 --- 5\n"
            "7 -> 8 --- 6\n"
            "8 -> 0 --e 7\n");
}

TEST(Automaton, RepeatedSkipsOfAnOptionAreOne) {
  EXPECT_EQ(show_automaton("byte x;\n"
                           "active proctype A() {\n"
                           "  if\n"
                           "  :: x == 0 -> skip; skip; skip; x = 1\n"
                           "  :: else\n"
                           "  fi\n"
                           "}\n",
                           "A"),
            // pan -d: 7->2, 7->9 (else), 2->5 (1), 5->9, 9->0
            "2 -> 5 --- 4\n"
            "5 -> 9 --- 4\n"
            "7 -> 2 --- 4\n"
            "7 -> 9 --- 5\n"
            "9 -> 0 --e 7\n");
}

}  // namespace
}  // namespace parley::front::promela
