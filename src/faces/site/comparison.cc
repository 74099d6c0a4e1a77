#include "site/comparison.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "base/escape.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::site {
namespace {

std::string normal_form(url::CrawlIdentity& identity, const std::string& text) {
  const auto url = url::Url::parse(text);
  return url ? std::string(identity.normal_form(*url)) : text;
}

// Returns whether it is a URL of a trap, which is endless and so not part of the truth.
bool is_trap(const Layout& layout, const std::string& text) {
  const auto url = url::Url::parse(text);
  if (!url) return false;
  const auto host = layout.find_host(url->host());
  return host && layout.find(*host, url->request_target()).kind == Kind::trap;
}

std::string describe_end(int status, const std::string& next_url) {
  if (next_url.empty()) return status == 0 ? "no answer" : fmt::format("status {}", status);
  return fmt::format("status {} to {}", status, next_url);
}

std::string describe_list(std::string_view what, const std::vector<std::string>& urls,
                          std::size_t lines_max) {
  std::string out;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    if (i == lines_max) return out + fmt::format("{}: and {} more\n", what, urls.size() - i);
    out += fmt::format("{}: {}\n", what, base::escape_for_terminal(urls[i]));
  }
  return out;
}

}  // namespace

Comparison compare(const Layout& layout, const Truth& truth, const std::vector<CrawledUrl>& crawl) {
  url::CrawlIdentity identity;
  std::unordered_map<std::string, const TruthEntry*> known;
  for (const TruthEntry& entry : truth.entries) known.emplace(entry.url, &entry);
  std::unordered_map<std::string, std::uint32_t> times;
  Comparison result;
  for (const CrawledUrl& each : crawl) {
    const std::string url = normal_form(identity, each.url);
    const auto found = known.find(url);
    if (found == known.end()) {
      is_trap(layout, url) ? void(++result.trapped) : result.extra.push_back(url);
      continue;
    }
    const TruthEntry& entry = *found->second;
    if (entry.kind == Kind::robots || entry.kind == Kind::sitemap) {
      ++result.by_the_way;
      continue;
    }
    const std::uint32_t time = ++times[url];
    if (time == 2) result.repeated.push_back(url);
    if (time > 1) continue;
    if (!entry.must_fetch) {
      result.extra.push_back(url);
      continue;
    }
    const std::string next = each.next_url.empty() ? "" : normal_form(identity, each.next_url);
    if (each.status == entry.status && next == entry.next_url) {
      ++result.equal;
    } else {
      result.wrong.push_back({.url = url,
                              .expected = describe_end(entry.status, entry.next_url),
                              .found = describe_end(each.status, next)});
    }
  }
  for (const TruthEntry& entry : truth.entries) {
    if (entry.must_fetch && !times.contains(entry.url)) result.missing.push_back(entry.url);
  }
  return result;
}

std::string describe(const Comparison& comparison, std::size_t lines_max) {
  std::string out = describe_list("missing", comparison.missing, lines_max);
  out += describe_list("extra", comparison.extra, lines_max);
  out += describe_list("repeated", comparison.repeated, lines_max);
  std::vector<std::string> wrong;
  for (const Comparison::Difference& each : comparison.wrong) {
    wrong.push_back(fmt::format("{}: {}, expected {}", each.url, each.found, each.expected));
  }
  out += describe_list("wrong", wrong, lines_max);
  return out + fmt::format(
                   "{}: {} as expected, {} missing, {} extra, {} repeated, {} wrong, {} "
                   "optional, {} in traps\n",
                   comparison.is_equal() ? "equal" : "not equal", comparison.equal,
                   comparison.missing.size(), comparison.extra.size(), comparison.repeated.size(),
                   comparison.wrong.size(), comparison.by_the_way, comparison.trapped);
}

}  // namespace gossamer::site
