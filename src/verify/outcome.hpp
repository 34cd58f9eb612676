// What the checking of a claim came to.
#pragma once

#include <string>

#include "support/named_enum.hpp"

namespace parley::verify {

enum class Result : std::uint8_t {
  Confirmed,
  Sampled,    // nothing speaks against it, but only a part was looked at
  Undecided,  // a limit was reached
  Rejected,
};
constexpr std::string_view name_of(Result result) {
  switch (result) {
    case Result::Confirmed:
      return "confirmed";
    case Result::Sampled:
      return "sampled";
    case Result::Undecided:
      return "undecided";
    case Result::Rejected:
      return "rejected";
  }
  return {};
}
static_assert(names_differ<Result>());

struct Outcome {
  Result result = Result::Rejected;
  std::string why;  // how it was confirmed, or what is wrong
};

}  // namespace parley::verify
