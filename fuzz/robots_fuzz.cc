// robots.txt and the robots rules of pages, on any bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "robots/page_rules.h"
#include "robots/robots.h"
#include "robots/robots_path.h"

namespace gossamer {
namespace {

// The matcher as the RFC describes it, with a table of all pairs of positions: whether the pattern
// matches the path, or with `is_anchored` all of it.
bool matches_by_table(std::string_view pattern, std::string_view path, bool is_anchored) {
  std::vector<bool> reached(path.size() + 1, false);  // by the pattern so far
  reached[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(path.size() + 1, false);
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (c == '*') {
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      } else {
        next[i] = i > 0 && reached[i - 1] && path[i - 1] == c;
      }
    }
    reached = std::move(next);
  }
  return is_anchored ? reached.back() : std::ranges::count(reached, true) > 0;
}

// Does nothing unless the rule is unchanged by writing it as a line of a file.
void check_one_rule(std::string_view rule, std::string_view path) {
  if (rule.empty() || rule.size() > 64 || path.size() > 256) return;
  if (rule.find_first_of("# \t\r\n\f\v") != std::string_view::npos) return;
  if (path == "/robots.txt") return;
  const robots::Robots robots =
      robots::Robots::parse("User-agent: *\nDisallow: " + std::string(rule), "a");
  CHECK_EQ(robots.rule_count(), 1);
  const bool is_anchored = rule.ends_with('$');
  if (is_anchored) rule.remove_suffix(1);
  std::string pattern, scratch;
  robots::append_normal_pattern(rule, pattern);
  const std::string_view normal = robots::normal_path(path.empty() ? "/" : path, scratch);
  CHECK_EQ(!robots.allows(path), matches_by_table(pattern, normal, is_anchored));
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t half = std::min(text.find('\0'), size);
  const std::string_view file = text.substr(0, half);
  const std::string_view path = text.substr(std::min(half + 1, size));

  const robots::Robots robots = robots::Robots::parse(file, "gossamer");
  const robots::Decision decision = robots.decide(path);
  CHECK(decision.line > 0 || decision.allowed);
  CHECK(file.contains(decision.pattern));
  if (const auto delay = robots.crawl_delay()) CHECK(*delay >= 0s && *delay <= 24h);

  // Normalising a path twice gives the same as once.
  std::string first, second;
  const std::string normal(robots::normal_path(path, first));
  CHECK(robots::normal_path(normal, second) == normal);
  check_one_rule(file, path);

  robots::PageRules rules;
  rules.add_header(file, "gossamer");
  rules.add_meta("robots", file, "gossamer");
  return 0;
}
