// SHA-256 (FIPS 180-4), so that a certificate can say which files it is about. Not for secrets; small instead
// of fast.
#pragma once

#include <string>
#include <string_view>

namespace parley {

// In lower-case hexadecimal.
std::string sha256(std::string_view bytes);

}  // namespace parley
