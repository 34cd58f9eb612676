#include "symbolic/certificate.hpp"

#include <nlohmann/json.hpp>

namespace parley::symbolic {
namespace {

nlohmann::ordered_json common(const encode::Relation& r, const system::Property& property,
                              const std::vector<Cube>& excluded) {
  nlohmann::ordered_json j;
  j["format"] = 1;
  j["property"] = property.name;
  j["capacities"] = r.layout().capacities();
  auto clauses = nlohmann::ordered_json::array();
  for (const auto& [bit, value] : r.layout().constant_bits())
    clauses.push_back({value ? bit.name() : "!" + bit.name()});
  for (const Cube& cube : excluded) {
    auto clause = nlohmann::ordered_json::array();
    for (const int l : cube) {
      const std::string name = r.layout().bits()[static_cast<std::size_t>(std::abs(l)) - 1].name();
      clause.push_back(l > 0 ? "!" + name : name);
    }
    clauses.push_back(std::move(clause));
  }
  j["clauses"] = std::move(clauses);
  return j;
}

}  // namespace

verdict::Certificate inductive_certificate(const encode::Relation& relation, const system::Property& property,
                                           const std::vector<Cube>& excluded) {
  return {verdict::CertificateKind::InductiveInvariant, common(relation, property, excluded).dump()};
}

verdict::Certificate induction_certificate(const encode::Relation& relation, const system::Property& property,
                                           std::uint32_t k, bool simple, const std::vector<Cube>& excluded) {
  nlohmann::ordered_json j = common(relation, property, excluded);
  j["k"] = k;
  j["simple_path"] = simple;
  return {verdict::CertificateKind::KInduction, j.dump()};
}

verdict::Certificate counting_certificate(const system::Property& property, std::uint32_t k,
                                          const verdict::Certificate& inner) {
  nlohmann::ordered_json j;
  j["format"] = 1;
  j["property"] = property.name;
  j["k"] = k;
  j["kind"] = name_of(inner.kind);
  j["payload"] = nlohmann::ordered_json::parse(inner.payload);
  return {verdict::CertificateKind::KLiveness, j.dump()};
}

}  // namespace parley::symbolic
