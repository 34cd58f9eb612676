// One certificate of every kind that can be written, as engines make them for small models: what
// forged_test.cpp changes.
#pragma once

#include "verify/made_certificate.hpp"

namespace parley::verify::testing {

std::vector<MadeCertificate> honest_certificates();

}  // namespace parley::verify::testing
