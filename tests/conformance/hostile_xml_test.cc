// Hostile sitemaps: entities, depth, size, and broken ones.

#include <algorithm>
#include <string>
#include <vector>

#include "robots/sitemap.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using robots::Sitemap;
using robots::SitemapKind;

std::vector<std::string> locs_of(const Sitemap& sitemap) {
  std::vector<std::string> locs;
  for (const auto& entry : sitemap.entries) locs.push_back(entry.loc);
  return locs;
}

// What the manifest says in words.
bool is_as_told(std::string_view file, const Sitemap& sitemap) {
  const std::vector<std::string> locs = locs_of(sitemap);
  const bool is_harmless = std::ranges::all_of(
      locs, [](const std::string& loc) { return loc.size() < 200 && !loc.contains("root:"); });
  if (file.contains("billion") || file.contains("blowup") || file.contains("xxe")) {
    return is_harmless && locs.size() <= 1;
  }
  if (file.contains("60k")) return locs.size() >= 50'000;
  if (file.contains("unescaped-amp")) {
    return locs == std::vector<std::string>{"http://example.com/?a=1&b=2", "http://example.com/ok"};
  }
  if (file.contains("index-self")) return sitemap.kind == SitemapKind::index && locs.size() == 1;
  if (file.contains("html-instead")) return sitemap.kind == SitemapKind::unknown && sitemap.trouble;
  return true;
}

TEST(HostileXmlSuite, IsSurvivedAndReadAsFarAsItGoes) {
  NEEDS_TESTDATA("hostile/manifest.json");
  Score score("hostile/xml");
  for (const Json& row : read_json("hostile/manifest.json")) {
    const std::string file = string_at(row, "file");
    if (!file.starts_with("xml/")) continue;
    std::string stored = read_testdata("hostile/" + file);
    const ExactBlock bytes(file.ends_with(".gz") ? gunzip(stored) : stored);
    const bool is_scoped = file.contains("offsite");
    const robots::SitemapOptions options = {
        .location = "http://example.com/sitemap.xml",
        .scope = is_scoped ? robots::SitemapScope::same_origin : robots::SitemapScope::anywhere};
    const Sitemap sitemap = robots::read_sitemap(bytes.view(), options);
    bool passed = is_as_told(file, sitemap);
    if (row.contains("entries")) {
      passed &= locs_of(sitemap) == row["entries"].get<std::vector<std::string>>();
    }
    score.count(passed, [&] {
      return fmt::format("{}: {} entries, {}, {}", row.dump(), sitemap.entries.size(),
                         Json(locs_of(sitemap)).dump().substr(0, 300),
                         sitemap.trouble ? sitemap.trouble->to_string() : "no trouble");
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(HostileXmlSuite, GzipBombsStopAtTheBound) {
  NEEDS_TESTDATA("hostile/decomp");
  for (const char* file : {"gzip-1GiB-zeros.gz", "gzip-html-256MiB.gz", "gzip-truncated.gz",
                           "gzip-10-layers.gz", "gzip-trailing-garbage.gz"}) {
    if (!has_testdata(std::string("hostile/decomp/") + file)) continue;
    const ExactBlock bytes(read_testdata(std::string("hostile/decomp/") + file));
    const Sitemap sitemap = robots::read_sitemap(bytes.view());
    EXPECT_TRUE(sitemap.trouble) << file;
    EXPECT_TRUE(sitemap.entries.empty()) << file;
  }
}

}  // namespace
}  // namespace gossamer::conformance
