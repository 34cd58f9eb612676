// Certificates as engines make them, kept in memory in parts so that tests can change one part and put the
// file together again: the head as JSON, the closed set as states. And the checker as the program runs it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "certificate/certificate_file.hpp"
#include "certificate/state_code.hpp"
#include "verify/verify.hpp"

namespace parley::verify::testing {

struct MadeCertificate {
  system::System system;
  nlohmann::json head;
  std::vector<semantics::State> states;  // of the closed set, if the head announces one

  // With this closed set instead of its own.
  std::string file(const std::vector<semantics::State>& others) const {
    nlohmann::json j = head;
    std::string blocks;
    if (j.contains("closed_set")) {
      certificate::StateCollector collector;
      for (const semantics::State& s : others) collector.add(s);
      const certificate::StateCollector::Blocks written = collector.blocks();
      j["closed_set"] = {{"states", collector.states()}, {"blocks", written.count}};
      blocks = written.bytes;
    }
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n' + blocks;
  }
  std::string file() const { return file(states); }
};

inline MadeCertificate made(const system::System& s, const certificate::Document& document,
                            std::vector<semantics::State> states) {
  certificate::StateCollector collector;
  for (const semantics::State& state : states) collector.add(state);
  const bool rests_on_states = std::any_of(
      document.properties.begin(), document.properties.end(),
      [](const auto& claim) { return claim.certificate.kind == verdict::CertificateKind::Exhaustive; });
  const std::string file = certificate::to_file(s, document, rests_on_states ? &collector : nullptr);
  return {s, nlohmann::json::parse(file.substr(0, file.find('\n'))), std::move(states)};
}

struct Verified {
  std::string malformed;  // empty: it could be read
  Report report;
  certificate::Document document;

  bool accepted() const { return malformed.empty() && report.result() == Result::Confirmed; }
  std::string why() const {
    if (!malformed.empty()) return malformed;
    std::string all;
    for (const ClaimReport& c : report.claims)
      all += std::string(name_of(c.outcome.result)) + " " + c.claim + ": " + c.outcome.why + "\n";
    return all;
  }
};

inline Verified verified(const system::System& s, const std::string& bytes, Options options = {}) {
  static int number = 0;
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) /
                                     ("forged-" + std::to_string(getpid()) + "-" + std::to_string(number++));
  std::ofstream(path, std::ios::binary) << bytes;
  Verified v;
  try {
    const Head head = read_head(path.string());
    v.document = read_document(s, head);
    v.report = verify(s, v.document, head, path.string(), options);
  } catch (const verdict::Malformed& e) {
    v.malformed = e.why;
  }
  std::filesystem::remove(path);
  return v;
}

}  // namespace parley::verify::testing
