// The one way to write a file: beside its destination, brought to the disk, then renamed over it. So whatever
// goes wrong (a full disk, a signal) the destination is as it was or as it is to be. Permissions of a file
// that is replaced are kept, symbolic links are followed; what is no regular file (a device, a pipe) is
// written directly. Used by every command that writes files. Not for the standard output: see
// cli/output_buffer.hpp.
#pragma once

#include <string>
#include <string_view>

namespace parley {

// Empty: written. Otherwise why not, in the system's words ("No space left on device").
std::string write_file(const std::string& path, std::string_view text);

}  // namespace parley
