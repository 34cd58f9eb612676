// parley-verify: the small program that checks certificates. Links no engine (tests/sanity/verifier.py).
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "verify/command_line.hpp"

int main(int argc, char** argv) {
  constexpr int kNotWritten = 3, kInternalError = 4;
  std::signal(SIGPIPE, SIG_IGN);  // a pipe that nobody reads is a failed write, with a message
  try {
    const int status = parley::verify::run({argv + 1, argv + argc}, std::cout, std::cerr);
    if (std::cout.flush()) return status;
    std::cerr << "parley-verify: the standard output cannot be written\n";
    return kNotWritten;
  } catch (const std::exception& e) {
    std::cerr << "parley-verify: internal error: " << e.what() << '\n';
    return kInternalError;
  }
}
