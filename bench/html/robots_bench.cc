// Matching URLs against a robots.txt, and reading a sitemap of the maximum size.
#include <expat.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/html/benchmarks.h"
#include "robots/robots.h"
#include "robots/sitemap.h"
#include "robots/sitemap_reader.h"

namespace gossamer::bench {
namespace {

constexpr double kMatchNsMax = 1000;
constexpr double kSitemapMsMax = 60;
constexpr std::size_t kSitemapUrls = 50'000;

// The file of a shop or a newspaper: about sixty rules, a dozen of them with stars.
std::string typical_robots() {
  std::string file = "User-agent: badbot\nDisallow: /\n\nUser-agent: *\n";
  constexpr std::array<std::string_view, 12> kPatterns = {
      "/*?sort=", "/*&filter=*",  "/*.pdf$",     "/search/*/page", "/*/print/", "/*sessionid",
      "/*?*utm_", "/ajax*.json$", "/*/comments", "/tag/*/feed/$",  "/*.php$",   "/cart*"};
  for (const std::string_view pattern : kPatterns) file += fmt::format("Disallow: {}\n", pattern);
  for (int i = 0; i < 40; ++i) file += fmt::format("Disallow: /section-{}/private/\n", i);
  for (int i = 0; i < 8; ++i) file += fmt::format("Allow: /section-{}/private/press\n", i);
  return file + "Crawl-delay: 1\nSitemap: https://www.example.com/sitemap.xml\n";
}

constexpr std::array<std::string_view, 6> kTargets = {
    "/",
    "/news/2024/10/19/what-happened-in-the-north-of-the-country.html",
    "/section-12/private/list?page=3",
    "/section-3/private/press/2024",
    "/products/shoes/running/model-7?color=red&sort=price",
    "/images/2024/10/header-large.jpg"};

void robots_match(const Options& options, Report& report) {
  const std::string file = typical_robots();
  const robots::Robots robots = robots::Robots::parse(file, "gossamer");
  const std::size_t questions = options.quick ? 60'000 : 600'000;
  std::size_t allowed = 0;
  const auto samples = in_turns(5, 2, [&](std::size_t which) {
    const double begin = process_cpu_ns();
    if (which == 0) {
      for (std::size_t i = 0; i < questions; ++i) allowed += robots.allows(kTargets[i % 6]);
      return (process_cpu_ns() - begin) / static_cast<double>(questions);
    }
    constexpr int kFiles = 200;
    for (int i = 0; i < kFiles; ++i) allowed += robots::Robots::parse(file, "a").rule_count();
    return (process_cpu_ns() - begin) / kFiles / 1000;
  });
  CHECK_GT(allowed, 0U);
  report.add({.name = fmt::format("robots/match ({} rules)", robots.rule_count()),
              .value = median(samples[0]),
              .unit = "ns",
              .target = kMatchNsMax});
  report.add({.name = "robots/parse the same file", .value = median(samples[1]), .unit = "us"});
}

std::string sitemap_text() {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  for (std::size_t i = 0; i < kSitemapUrls; ++i) {
    text += fmt::format(
        "<url><loc>https://www.example.com/catalogue/section-{}/article-{}.html</loc>"
        "<lastmod>2024-10-{:02}T11:21:53+00:00</lastmod></url>\n",
        i % 97, i, 1 + i % 31);
  }
  return text + "</urlset>\n";
}

class Counter final : public robots::SitemapSink {
 public:
  void put(robots::SitemapEntry entry) override { bytes += entry.loc.size(); }
  std::size_t bytes = 0;
};

// expat with empty callbacks: the cost of its parsing alone.
std::size_t run_expat(std::string_view text) {
  constexpr std::size_t kPieceBytes = 64 * 1024;
  std::size_t elements = 0;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &elements);
  XML_SetElementHandler(
      parser,
      [](void* count, const XML_Char*, const XML_Char**) { ++*static_cast<std::size_t*>(count); },
      [](void*, const XML_Char*) {});
  XML_SetCharacterDataHandler(parser, [](void*, const XML_Char*, int) {});
  for (std::size_t at = 0; at < text.size(); at += kPieceBytes) {
    const std::string_view piece = text.substr(at, kPieceBytes);
    XML_Parse(parser, piece.data(), static_cast<int>(piece.size()),
              at + kPieceBytes >= text.size());
  }
  XML_ParserFree(parser);
  return elements;
}

void sitemap_of_50000(const Options& options, Report& report) {
  const std::string text = sitemap_text();
  constexpr std::size_t kPieceBytes = 16 * 1024;
  const auto samples = in_turns(options.quick ? 1 : 5, 3, [&](std::size_t which) {
    const double begin = process_cpu_ns();
    std::size_t found = 0;
    if (which == 0) {
      found = run_expat(text);
    } else if (which == 1) {
      found = robots::read_sitemap(text).entries.size();
    } else {
      Counter counter;
      robots::SitemapReader reader({}, counter);
      for (std::size_t at = 0; at < text.size(); at += kPieceBytes) {
        reader.feed(std::string_view(text).substr(at, kPieceBytes));
      }
      reader.finish();
      found = reader.entry_count();
    }
    CHECK_GE(found, kSitemapUrls);
    return (process_cpu_ns() - begin) / 1e6;
  });
  const double expat = median(samples[0]);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  report.add(
      {.name = fmt::format("robots/sitemap of 50,000 URLs, {:.1f} MB: expat alone", megabytes),
       .value = expat,
       .unit = "ms"});
  report.add({.name = "robots/sitemap of 50,000 URLs, read",
              .value = median(samples[1]),
              .unit = "ms",
              .floor = expat,
              .target = kSitemapMsMax});
  report.add({.name = "robots/sitemap of 50,000 URLs, streamed in 16 KiB",
              .value = median(samples[2]),
              .unit = "ms",
              .floor = expat,
              .target = kSitemapMsMax});
}

}  // namespace

void robots_and_sitemaps(const Options& options, Report& report) {
  report.heading("robots.txt and sitemaps");
  robots_match(options, report);
  sitemap_of_50000(options, report);
}

}  // namespace gossamer::bench
