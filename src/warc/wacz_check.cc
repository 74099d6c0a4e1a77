#include <optional>
#include <set>
#include <utility>

#include "warc/json_value.h"
#include "warc/wacz.h"

namespace gossamer::warc {
namespace {

constexpr std::uint64_t kJsonBytesMax = 64 * 1024 * 1024;

class WaczCheck {
 public:
  explicit WaczCheck(const ZipArchive& zip) : zip_(zip) {}

  std::vector<std::string> run() {
    check_names();
    check_package();
    check_package_digest();
    if (archives_of(zip_).empty()) report("there is nothing below archive/");
    return std::move(problems_);
  }

 private:
  void report(std::string problem) { problems_.push_back(std::move(problem)); }

  void check_names() {
    std::set<std::string_view> names;
    for (const ZipEntry& entry : zip_.entries()) {
      std::string_view name = entry.name;
      if (name.ends_with('/')) name.remove_suffix(1);  // a folder
      if (!is_safe_entry_name(name)) report("the name " + entry.name + " is not safe");
      if (!names.insert(entry.name).second) report(entry.name + " is there twice");
    }
  }

  void check_package() {
    const ZipEntry* const entry = zip_.find("datapackage.json");
    if (entry == nullptr) return report("there is no datapackage.json");
    const auto text = zip_.read(*entry, kJsonBytesMax);
    const auto package = text ? parse_json(*text) : fail(text.error().copy());
    const JsonValue* const resources = package ? package->find("resources") : nullptr;
    if (resources == nullptr || resources->kind != JsonValue::Kind::array) {
      return report("datapackage.json has no list of resources");
    }
    if (package->text_of("wacz_version").empty()) {
      report("datapackage.json says no version of WACZ");
    }
    for (const JsonValue& resource : resources->items) check_resource(resource);
  }

  // Since 1.1: {"path", "hash": "sha256:...", "bytes"}; before: {"path", "stats": {"hash",
  // "bytes"}, "hashing": "sha256"}.
  void check_resource(const JsonValue& resource) {
    const std::string path(resource.text_of("path"));
    const ZipEntry* const entry = zip_.find(path);
    if (entry == nullptr) return report(path + " is listed and not there");
    const JsonValue* const stats = resource.find("stats");
    const JsonValue& facts = stats == nullptr ? resource : *stats;
    std::string hash(facts.text_of("hash"));
    if (stats != nullptr && hash.find(':') == std::string::npos) {
      hash = std::string(resource.text_of("hashing")) + ':' + hash;
    }
    const JsonValue* const bytes = facts.find("bytes");
    if (bytes == nullptr || bytes->as_number() != entry->bytes) {
      report(path + " has not the size that is listed");
    }
    check_content(*entry, hash);
  }

  void check_content(const ZipEntry& entry, std::string_view hash) {
    const auto declared = parse_digest(hash);
    if (!declared) return report(entry.name + " has no digest to check");
    auto reader = ZipMemberReader::open(zip_, entry);
    if (!reader) return report(reader.error().to_string());
    Digester digester(declared->algorithm());
    while (true) {
      const auto piece = reader->next();
      if (!piece) return report(entry.name + ": " + piece.error().to_string());
      if (piece->empty()) break;
      digester.update(*piece);
    }
    if (digester.digest() != *declared) report(entry.name + " has another digest");
  }

  void check_package_digest() {
    const ZipEntry* const entry = zip_.find("datapackage-digest.json");
    const ZipEntry* const package = zip_.find("datapackage.json");
    if (entry == nullptr || package == nullptr) return;  // older ones have none
    const auto text = zip_.read(*entry, kJsonBytesMax);
    const auto digest = text ? parse_json(*text) : fail(text.error().copy());
    if (!digest) return report("datapackage-digest.json cannot be read");
    check_content(*package, digest->text_of("hash"));
  }

  const ZipArchive& zip_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> check_wacz(const ZipArchive& zip) { return WaczCheck(zip).run(); }

std::vector<const ZipEntry*> archives_of(const ZipArchive& zip) {
  std::vector<const ZipEntry*> archives;
  for (const ZipEntry& entry : zip.entries()) {
    if (entry.name.starts_with("archive/") && !entry.name.ends_with('/')) {
      archives.push_back(&entry);
    }
  }
  return archives;
}

}  // namespace gossamer::warc
