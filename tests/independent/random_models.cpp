// Prints random models of the text language for programs that are not written in C++: `random_models FIRST
// COUNT` writes the models of the seeds FIRST, FIRST + 1, … one after the other, each behind a line `// seed
// N`. Every second model has no change triggers, which the independent interpreter leaves out.
// tests/independent/random_comparison.py runs it.
#include <cstdio>
#include <cstdlib>

#include "random/model.hpp"

int main(int count_of_words, char** words) {
  using namespace parley;
  if (count_of_words != 3) {
    std::fprintf(stderr, "usage: random_models FIRST COUNT\n");
    return 3;
  }
  const std::uint64_t first = std::strtoull(words[1], nullptr, 10);
  const std::uint64_t count = std::strtoull(words[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    random::Profile profile;
    if (seed % 2 == 0) profile.changes = 0;
    std::printf("// seed %llu\n%s", static_cast<unsigned long long>(seed),
                random::text(random::model(seed, profile)).c_str());
  }
  return 0;
}
