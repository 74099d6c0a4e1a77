#include <map>
#include <set>
#include <utility>

#include "base/json_value.h"
#include "warc/wacz.h"

namespace gossamer::warc {
namespace {

using base::JsonValue;

constexpr std::uint64_t kJsonBytesMax = 4 * 1024 * 1024;
constexpr std::size_t kProblemsMax = 100;
// Members of a package are compressed about 10 to 1, or not at all. Small members may have any
// ratio.
constexpr std::uint64_t kRatioMax = 100;
constexpr std::uint64_t kRatioFreeBytes = 1024 * 1024;

// Judges by the sizes in the directory, which no member can exceed.
bool is_bomb(const ZipEntry& entry) {
  return entry.bytes > kRatioFreeBytes && entry.bytes / kRatioMax > entry.stored_bytes;
}

bool has_safe_name(const ZipEntry& entry) {
  std::string_view name = entry.name;
  if (name.ends_with('/')) name.remove_suffix(1);  // a folder
  return is_safe_entry_name(name);
}

class WaczCheck {
 public:
  explicit WaczCheck(const ZipArchive& zip) : zip_(zip) {}

  std::vector<std::string> run() {
    check_names();
    check_package();
    check_package_digest();
    if (archives_of(zip_).empty()) report("archive/ is missing or empty");
    if (left_out_ > 0) problems_.push_back("and " + std::to_string(left_out_) + " more");
    return std::move(problems_);
  }

 private:
  void report(std::string problem) {
    if (problems_.size() < kProblemsMax) {
      problems_.push_back(std::move(problem));
    } else {
      ++left_out_;
    }
  }

  const ZipEntry* find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : found->second;
  }

  Result<JsonValue> read_json(const ZipEntry& entry) const {
    if (is_bomb(entry)) return fail(Errc::over_limit, "the compression ratio is above 100 to 1");
    const auto text = zip_.read(entry, kJsonBytesMax);
    return text ? base::parse_json(*text) : fail(text.error().copy());
  }

  void check_names() {
    for (const ZipEntry& entry : zip_.entries()) {
      if (!has_safe_name(entry)) report("the name " + entry.name + " is not safe");
      if (!names_.try_emplace(entry.name, &entry).second) report(entry.name + " occurs twice");
    }
  }

  void check_package() {
    const ZipEntry* const entry = find("datapackage.json");
    if (entry == nullptr) return report("datapackage.json is missing");
    const auto package = read_json(*entry);
    if (!package) return report("datapackage.json: " + package.error().to_string());
    const JsonValue* const resources = package->find("resources");
    if (resources == nullptr || resources->kind != JsonValue::Kind::array) {
      return report("datapackage.json has no list of resources");
    }
    if (package->text_of("wacz_version").empty()) {
      report("datapackage.json has no wacz_version");
    }
    for (const JsonValue& resource : resources->items) check_resource(resource);
  }

  // Since 1.1: {"path", "hash": "sha256:...", "bytes"}; before: {"path", "stats": {"hash",
  // "bytes"}, "hashing": "sha256"}.
  void check_resource(const JsonValue& resource) {
    const std::string path(resource.text_of("path"));
    const ZipEntry* const entry = find(path);
    if (entry == nullptr) return report(path + " is listed but missing");
    if (!listed_.insert(entry).second) return report(path + " is listed twice");
    const JsonValue* const stats = resource.find("stats");
    const JsonValue& facts = stats == nullptr ? resource : *stats;
    std::string hash(facts.text_of("hash"));
    if (stats != nullptr && hash.find(':') == std::string::npos) {
      hash = std::string(resource.text_of("hashing")) + ':' + hash;
    }
    const JsonValue* const bytes = facts.find("bytes");
    if (bytes == nullptr || bytes->as_number() != entry->bytes) {
      report(path + " does not have the listed size");
    }
    check_content(*entry, hash);
  }

  void check_content(const ZipEntry& entry, std::string_view hash) {
    const auto declared = parse_digest(hash);
    if (!declared) return report(entry.name + " has no digest to check");
    if (is_bomb(entry)) return report(entry.name + " has a compression ratio above 100 to 1");
    auto reader = ZipMemberReader::open(zip_, entry);
    if (!reader) return report(reader.error().to_string());
    Digester digester(declared->algorithm());
    while (true) {
      const auto piece = reader->next();
      if (!piece) return report(entry.name + ": " + piece.error().to_string());
      if (piece->empty()) break;
      digester.update(*piece);
    }
    if (digester.digest() != *declared) report(entry.name + " does not match its digest");
  }

  void check_package_digest() {
    const ZipEntry* const entry = find("datapackage-digest.json");
    const ZipEntry* const package = find("datapackage.json");
    if (entry == nullptr || package == nullptr) return;  // older packages have none
    const auto digest = read_json(*entry);
    if (!digest) return report("datapackage-digest.json cannot be read");
    check_content(*package, digest->text_of("hash"));
  }

  const ZipArchive& zip_;
  std::map<std::string_view, const ZipEntry*> names_;  // the first of each name
  std::set<const ZipEntry*> listed_;
  std::vector<std::string> problems_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

std::vector<std::string> check_wacz(const ZipArchive& zip) { return WaczCheck(zip).run(); }

Result<void> check_member_names(const ZipArchive& zip) {
  std::set<std::string_view> names;
  for (const ZipEntry& entry : zip.entries()) {
    if (!has_safe_name(entry)) {
      return fail(Errc::malformed, "WACZ: the name " + entry.name + " is not safe");
    }
    if (!names.insert(entry.name).second) {
      return fail(Errc::malformed, "WACZ: two members are named " + entry.name);
    }
  }
  return {};
}

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
