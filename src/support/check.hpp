// Tool failures, as opposed to user errors: a broken invariant throws InternalError, which the command
// line turns into exit status 4. User errors go to diag::Diagnostics, limits become Unknown verdicts.
#pragma once

#include <stdexcept>
#include <string>

namespace parley {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void internal_error(const char* condition, const char* file, int line,
                                 const std::string& detail = {});

}  // namespace parley

#define PARLEY_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::parley::internal_error(#condition, __FILE__, __LINE__))
#define PARLEY_CHECK_MSG(condition, detail) \
  (static_cast<bool>(condition) ? void(0)   \
                                : ::parley::internal_error(#condition, __FILE__, __LINE__, (detail)))
