// Certificates as files: what `parley check --certificate` and `parley bounds --certificate` write and
// `parley verify` reads. A file says which model it is about (digests of all texts that were read, and the
// options that change their meaning), with which capacities, what is claimed of its properties and queues,
// and the evidence for each claim; docs/certificates.md is its description. Here are the data and the
// writing. Reading it back, distrustfully, is verify/read_certificate.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "certificate/state_collector.hpp"
#include "load/load.hpp"
#include "verdict/verdict.hpp"

namespace parley::certificate {

inline constexpr std::string_view kFormatName = "parley-certificate";
inline constexpr std::uint64_t kFormatVersion = 1;

struct FileDigest {
  std::string name;  // for people only: models move
  std::string sha256;
  friend bool operator==(const FileDigest& a, const FileDigest& b) { return a.sha256 == b.sha256; }
};

// What was checked. Folders and the file of `--system` are given again by whoever verifies; what was read
// from them is among the files.
struct Subject {
  std::vector<FileDigest> files;  // in the order of reading
  std::map<std::string, std::string> constants, switches;
  bool havoc_unknown = false;
  friend bool operator==(const Subject&, const Subject&) = default;
};
Subject subject_of(const diag::SourceMap& sources, const load::LoadOptions& options);

struct PropertyClaim {
  system::PropertyId property;
  bool holds = true;                  // else: violated
  verdict::Certificate certificate;   // Witness: the run is all. Exhaustive: the closed set is.
  std::optional<verdict::Trace> run;  // that violates the property, or is the witness of `reachable`
};

struct QueueClaim {
  system::QueueId queue;
  std::optional<std::uint64_t> limit;  // absent: it grows for ever
  verdict::Certificate certificate;
};

struct Document {
  Subject subject;
  std::vector<std::uint32_t> capacities;  // of the run's queues
  std::vector<PropertyClaim> properties;
  std::vector<QueueClaim> queues;
};

// The claim that a result makes, or nothing if it is unknown.
std::optional<PropertyClaim> claim_of(const verdict::PropertyResult& result);

// The bytes of the file. With a closed set it is followed by its blocks, else it must have no claim that
// rests on one.
std::string to_file(const system::System& system, const Document& document, const StateCollector* closed_set);

}  // namespace parley::certificate
