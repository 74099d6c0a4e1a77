#include "robots/sitemap.h"

#include <array>
#include <utility>

#include "robots/sitemap_reader.h"

namespace gossamer::robots {
namespace {

class Collection final : public SitemapSink {
 public:
  explicit Collection(std::vector<SitemapEntry>& entries) : entries_(entries) {}
  void put(SitemapEntry entry) override { entries_.push_back(std::move(entry)); }

 private:
  std::vector<SitemapEntry>& entries_;
};

}  // namespace

Sitemap read_sitemap(std::string_view bytes, const SitemapOptions& options) {
  Sitemap sitemap;
  Collection collection(sitemap.entries);
  SitemapReader reader(options, collection);
  reader.feed(bytes);
  reader.finish();
  sitemap.kind = reader.kind();
  sitemap.last_modified = reader.last_modified();
  sitemap.rejected = reader.rejected();
  sitemap.trouble = std::move(reader.trouble());
  return sitemap;
}

std::string_view name(SitemapKind kind) noexcept {
  static constexpr std::array<std::string_view, 6> kNames = {"unknown", "url_set", "index",
                                                             "rss",     "atom",    "text"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(ChangeFrequency frequency) noexcept {
  static constexpr std::array<std::string_view, 8> kNames = {
      "none", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"};
  return kNames[static_cast<std::size_t>(frequency)];
}

}  // namespace gossamer::robots
