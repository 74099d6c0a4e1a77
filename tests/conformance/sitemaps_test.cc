// Sitemaps, feeds and their dates, with crawler-commons as the judge.

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/time.h"
#include "robots/date.h"
#include "robots/sitemap.h"
#include "robots/sitemap_reader.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using robots::Sitemap;
using robots::SitemapKind;

// The judge, unless told to look for the extensions, takes <image:loc> for the URL of a page.
constexpr std::array<std::string_view, 2> kImagesAreNoPages = {
    "stormcrawler.sitemap.extensions.all.xml", "stormcrawler.sitemap.extensions.image.xml"};

std::string type_of(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::url_set: return "XML";
    case SitemapKind::index: return "INDEX";
    case SitemapKind::rss: return "RSS";
    case SitemapKind::atom: return "ATOM";
    case SitemapKind::text: return "TEXT";
    case SitemapKind::unknown: break;
  }
  return "unknown";
}

// Dates as the vectors write them, to the millisecond.
bool is_date(const Json& expected, const std::optional<WallTime>& date) {
  if (expected.is_null() || !date) return expected.is_null() == !date;
  const std::string text = expected.get<std::string>();
  const bool has_fraction = text.contains('.');
  return to_rfc3339(*date, has_fraction ? base::SecondDigits::milli : base::SecondDigits::none) ==
         text;
}

bool has_same_entries(const Json& row, const Sitemap& sitemap) {
  const Json& expected = row["entries"];
  if (expected.size() != sitemap.entries.size()) return false;
  if (string_at(row, "test").contains("filterUrls")) return true;  // ran a filter of its own
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const robots::SitemapEntry& entry = sitemap.entries[i];
    if (entry.loc != string_at(expected[i], "loc")) return false;
    if (!is_date(expected[i]["lastmod"], entry.last_modified)) return false;
    if (!expected[i].contains("priority")) continue;
    if (std::abs(expected[i]["priority"].get<float>() - entry.priority) > 1e-6F) return false;
    std::string frequency = string_at(expected[i], "changefreq");
    std::ranges::transform(frequency, frequency.begin(), [](char c) { return c | 0x20; });
    if (name(entry.change_frequency) != (frequency.empty() ? "none" : frequency)) return false;
  }
  return true;
}

bool is_as_expected(const Json& row, const Sitemap& sitemap) {
  const bool is_refused =
      sitemap.kind == SitemapKind::unknown || (sitemap.trouble && !row["partial"].get<bool>());
  if (row.contains("error")) return is_refused;
  return !is_refused && type_of(sitemap.kind) == string_at(row, "type") &&
         is_date(row["lastmod"], sitemap.last_modified) && has_same_entries(row, sitemap);
}

class Counter final : public robots::SitemapSink {
 public:
  void put(robots::SitemapEntry) override {}
};

// A reader that is fed byte by byte finds the same.
bool is_same_bytewise(std::string_view bytes, const robots::SitemapOptions& options,
                      const Sitemap& sitemap) {
  Counter counter;
  robots::SitemapReader reader(options, counter);
  for (const char byte : bytes) reader.feed({&byte, 1});
  reader.finish();
  return reader.kind() == sitemap.kind && reader.entry_count() == sitemap.entries.size() &&
         reader.trouble().has_value() == sitemap.trouble.has_value();
}

TEST(SitemapSuite, FilesAreReadAsTheJudgeReadsThem) {
  NEEDS_TESTDATA("sitemaps/cases.json");
  Score score("sitemaps/cases");
  for (const Json& row : read_json("sitemaps/cases.json")) {
    const std::string file = string_at(row, "file");
    const ExactBlock bytes(read_testdata("sitemaps/files/" + file));
    const std::string location = string_at(row, "sitemap_url");
    const robots::SitemapOptions options = {
        .location = location,
        .scope = row["strict"].get<bool>() ? robots::SitemapScope::below_location
                                           : robots::SitemapScope::anywhere,
        .is_namespace_strict = row["strict_namespace"].get<bool>()};
    const Sitemap sitemap = robots::read_sitemap(bytes.view(), options);
    EXPECT_TRUE(is_same_bytewise(bytes.view(), options, sitemap)) << file;
    const bool passed = is_as_expected(row, sitemap);
    if (!passed && std::ranges::count(kImagesAreNoPages, file) > 0) {
      score.count_exception();
      continue;
    }
    score.count(passed, [&] {
      return fmt::format("{} {}: {} with {} entries, {}", file, string_at(row, "test"),
                         type_of(sitemap.kind), sitemap.entries.size(),
                         sitemap.trouble ? sitemap.trouble->to_string() : "no trouble");
    });
  }
  EXPECT_TRUE(score.reaches(0.95));
}

TEST(SitemapSuite, DatesAreRead) {
  NEEDS_TESTDATA("sitemaps/dates.json");
  Score score("sitemaps/dates");
  for (const Json& row : read_json("sitemaps/dates.json")) {
    const auto date = robots::parse_date(ExactBlock(string_at(row, "in")).view());
    score.count(is_date(row["utc"], date), [&] { return row.dump(); });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
