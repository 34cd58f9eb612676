#include "front/uml/archive.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <vector>

namespace parley::front::uml {
namespace {

struct ZipCloser {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct MemberCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

bool is_model_name(const std::string& name) {
  return name.ends_with(".xmi") || name.ends_with(".uml") || name.ends_with(".xml");
}

// Settings that ArgoUML keeps beside the model end in .xml too; the model's own name wins.
int preference(const std::string& name) {
  return name.ends_with(".xmi") ? 0 : name.ends_with(".uml") ? 1 : 2;
}

}  // namespace

bool is_archive(const std::string& bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

std::optional<ArchiveMember> unpack_model(const std::string& bytes, std::size_t limit, diag::Span place,
                                          diag::Diagnostics& diagnostics) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  std::unique_ptr<zip_t, ZipCloser> archive(
      source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
  if (archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    diagnostics.error("archive", place,
                      fmt::format("the archive cannot be read: {}", zip_error_strerror(&error)));
    zip_error_fini(&error);
    return std::nullopt;
  }
  zip_error_fini(&error);
  std::optional<std::pair<zip_uint64_t, std::string>> chosen;
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(archive.get(), 0));
  for (zip_uint64_t i = 0; i < count; ++i) {
    const char* raw = zip_get_name(archive.get(), i, 0);
    if (raw == nullptr || !is_model_name(raw)) continue;
    if (!chosen || preference(raw) < preference(chosen->second)) chosen.emplace(i, raw);
  }
  if (!chosen) {
    diagnostics.error("archive", place, "the archive holds no model (no member ends in .xmi, .uml or .xml)");
    return std::nullopt;
  }
  std::unique_ptr<zip_file_t, MemberCloser> file(zip_fopen_index(archive.get(), chosen->first, 0));
  if (file == nullptr) {
    diagnostics.error(
        "archive", place,
        fmt::format("`{}` in the archive cannot be opened: {}", chosen->second, zip_strerror(archive.get())));
    return std::nullopt;
  }
  // The size in the directory may lie: read in pieces and stop at the limit.
  ArchiveMember member{chosen->second, {}};
  std::vector<char> piece(1u << 16);
  for (;;) {
    const auto got = zip_fread(file.get(), piece.data(), piece.size());
    if (got < 0) {
      diagnostics.error("archive", place, fmt::format("`{}` in the archive is damaged", member.name));
      return std::nullopt;
    }
    if (got == 0) break;
    member.bytes.append(piece.data(), static_cast<std::size_t>(got));
    if (member.bytes.size() > limit) {
      diagnostics.error("archive", place,
                        fmt::format("`{}` unpacks to more than {} bytes", member.name, limit));
      return std::nullopt;
    }
  }
  return member;
}

}  // namespace parley::front::uml
