// parley-verify: the small program that checks certificates. Links no engine (tests/sanity/verifier.py).
#include <cstdlib>
#include <exception>
#include <iostream>

#include "verify/command_line.hpp"

int main(int argc, char** argv) {
  constexpr int kInternalError = 4;
  try {
    const int status = parley::verify::run({argv + 1, argv + argc}, std::cout, std::cerr);
    std::cout.flush();
    return std::cout ? status : kInternalError;
  } catch (const std::exception& e) {
    std::cerr << "parley-verify: internal error: " << e.what() << '\n';
    return kInternalError;
  }
}
