// Changes certificates in the ways in which somebody would who wants them to say something else, or by
// accident: bits, numbers, parts that are missing, twice there or exchanged, other claims for the same
// evidence, other evidence for the same claims, and closed sets with states too few, too many or changed.
// Certificates inside certificates are opened, changed and closed again, so that most of what comes out can
// be read.
#pragma once

#include <functional>
#include <random>

#include "verify/made_certificate.hpp"

namespace parley::verify::testing {

struct Forgery {
  std::string how;
  std::string bytes;
};

class Forger {
 public:
  Forger(const std::vector<MadeCertificate>& honest, std::uint64_t seed) : honest_(honest), random_(seed) {}

  // A changed form of honest[which]; never the same bytes.
  Forgery forge(std::size_t which);

 private:
  using Json = nlohmann::json;

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  Forgery bit_flip(const MadeCertificate& c);
  // Changes one place of the head that fits, if there is one.
  std::string changed_head(const MadeCertificate& c, const std::function<bool(const Json&)>& fits,
                           const std::function<void(Json&)>& change);
  std::string changed_part(const MadeCertificate& c);
  std::string changed_claim(const MadeCertificate& c);
  std::string exchanged_evidence(const MadeCertificate& c);
  std::string changed_states(const MadeCertificate& c);
  void change_number(Json& number);

  const std::vector<MadeCertificate>& honest_;
  std::mt19937_64 random_;
};

}  // namespace parley::verify::testing
