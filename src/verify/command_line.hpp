// The command line of parley-verify: reads the certificate, loads the model as it says, compares the files,
// checks the claims and tells the outcome. `parley verify` (cli/verify_command.cpp) runs this program with
// plain numbers; its help is there.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace parley::verify {

// The exit status: 0 everything is confirmed, 1 something is rejected, 2 something is left open, 3 the file,
// the model or the command line is not as it must be.
int run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace parley::verify
