#include "robots/robots_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/ascii.h"
#include "robots/robots_path.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kLineBlanks = " \t\f\v\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

using base::equals_ignoring_case;
using base::to_lower;

std::string_view trim_line(std::string_view text) { return base::trimmed(text, kLineBlanks); }

enum class Field : std::uint8_t { other, user_agent, allow, disallow, crawl_delay, sitemap };

struct FieldName {
  std::string_view name;
  Field field;
};
// The names, and the misspellings that are common enough for other crawlers to accept them.
constexpr std::array<FieldName, 14> kFieldNames = {{{"user-agent", Field::user_agent},
                                                    {"useragent", Field::user_agent},
                                                    {"user agent", Field::user_agent},
                                                    {"allow", Field::allow},
                                                    {"disallow", Field::disallow},
                                                    {"dissallow", Field::disallow},
                                                    {"dissalow", Field::disallow},
                                                    {"disalow", Field::disallow},
                                                    {"diasllow", Field::disallow},
                                                    {"disallaw", Field::disallow},
                                                    {"crawl-delay", Field::crawl_delay},
                                                    {"crawldelay", Field::crawl_delay},
                                                    {"sitemap", Field::sitemap},
                                                    {"site-map", Field::sitemap}}};

Field field_of(std::string_view name) {
  for (const FieldName& entry : kFieldNames) {
    if (equals_ignoring_case(name, entry.name)) return entry.field;
  }
  return Field::other;
}

struct Record {
  std::string_view name;
  std::string_view value;
};

// Parses a line without its comment. The colon may be missing if there are exactly two words.
Record record_of(std::string_view line) {
  line = trim_line(line.substr(0, line.find('#')));
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    return {trim_line(line.substr(0, colon)), trim_line(line.substr(colon + 1))};
  }
  const std::size_t gap = line.find_first_of(kLineBlanks);
  if (gap == std::string_view::npos) return {};
  const std::string_view value = trim_line(line.substr(gap));
  if (value.find_first_of(kLineBlanks) != std::string_view::npos) return {};
  return {line.substr(0, gap), value};
}

// Parses seconds such as "10" or "0.5". Negative numbers and exponents are not delays.
std::optional<double> read_seconds(std::string_view text) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (error == std::errc::result_out_of_range) return HUGE_VAL;
  if (error != std::errc() || std::signbit(seconds) || !std::isfinite(seconds)) return std::nullopt;
  if (after != end && (*after == '.' || to_lower(*after) == 'e')) return std::nullopt;
  return seconds;
}

}  // namespace

void RobotsParser::read(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (bytes.size() > options_.bytes_max) {
    // A truncated path would be a rule for other pages, so the line that is cut off does not count.
    bytes = bytes.substr(0, options_.bytes_max);
    bytes = bytes.substr(0, bytes.find_last_of("\r\n") + 1);
  }
  for (std::uint32_t number = 1; !bytes.empty(); ++number) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    read_line(bytes.substr(0, end), number);
    bytes.remove_prefix(end);
    bytes.remove_prefix(bytes.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, bytes.size()));
  }
}

void RobotsParser::read_line(std::string_view line, std::uint32_t number) {
  const Record record = record_of(line);
  switch (field_of(record.name)) {
    case Field::user_agent: return read_user_agent(record.value);
    case Field::allow: return read_rule(record.value, number, /*allows=*/true);
    case Field::disallow: return read_rule(record.value, number, /*allows=*/false);
    case Field::crawl_delay: return read_crawl_delay(record.value);
    case Field::sitemap: return read_sitemap(record.value);
    case Field::other: return;  // RFC 9309 2.2.4: other records must not end a group
  }
}

void RobotsParser::read_user_agent(std::string_view value) {
  for (Part* part : {&own_, &all_}) {
    if (has_rules_) part->takes_rules = false;
    if (has_rules_ || has_delay_) part->takes_delay = false;
  }
  has_rules_ = has_delay_ = false;

  const std::string_view token = product_token(value);
  Part* const part = token == "*"                                            ? &all_
                     : !token.empty() && equals_ignoring_case(token, agent_) ? &own_
                                                                             : nullptr;
  if (part != nullptr) part->is_named = part->takes_rules = part->takes_delay = true;
}

void RobotsParser::read_rule(std::string_view pattern, std::uint32_t line, bool allows) {
  has_rules_ = true;
  if (pattern.empty()) return;  // an empty `Disallow:` forbids nothing
  for (Part* part : {&own_, &all_}) {
    if (part->takes_rules) part->rules.push_back({pattern, line, allows});
  }
}

void RobotsParser::read_crawl_delay(std::string_view value) {
  has_delay_ = true;
  const std::optional<double> seconds = read_seconds(value);
  if (!seconds) return;
  const double longest = std::chrono::duration<double>(options_.crawl_delay_max).count();
  const auto delay =
      *seconds >= longest
          ? options_.crawl_delay_max
          : std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
  for (Part* part : {&own_, &all_}) {
    if (part->takes_delay && !part->crawl_delay) part->crawl_delay = delay;
  }
}

void RobotsParser::read_sitemap(std::string_view value) {
  if (!value.empty()) sitemaps_.emplace_back(value);
}

void RobotsParser::append_rule(const Draft& draft, std::string_view pattern, bool is_anchored,
                               Robots& robots) {
  const auto size = [&] { return static_cast<std::uint32_t>(robots.text_.size()); };
  Robots::Rule rule = {.line = draft.line, .allows = draft.allows, .is_anchored = is_anchored};
  rule.written = size();
  robots.text_ += draft.pattern;
  rule.written_size = size() - rule.written;
  rule.text = size();
  append_normal_pattern(pattern, robots.text_);
  rule.text_size = size() - rule.text;
  if (robots.text_of(rule) == pattern) {  // as written, nearly always
    robots.text_.resize(rule.text);
    rule.text = rule.written;
  }
  rule.has_star = robots.text_of(rule).contains('*');
  robots.rules_.push_back(rule);
}

void RobotsParser::append_draft(const Draft& draft, Robots& robots) {
  std::string_view pattern = draft.pattern;
  const bool is_anchored = pattern.ends_with('$');
  if (is_anchored) pattern.remove_suffix(1);
  append_rule(draft, pattern, is_anchored, robots);

  // A rule that allows /a/index.html also allows /a/. The RFC does not say so, but all crawlers do
  // it.
  const std::size_t slash = pattern.rfind('/');
  if (draft.allows && slash != std::string_view::npos &&
      pattern.substr(slash).starts_with("/index.htm")) {
    append_rule(draft, pattern.substr(0, slash + 1), /*is_anchored=*/true, robots);
  }
}

// RFC 9309 2.2.2: the match with the most octets; of equal ones the Allow.
void RobotsParser::sort_rules(Robots& robots) {
  const auto octets = [](const Robots::Rule& rule) { return rule.text_size + rule.is_anchored; };
  std::ranges::sort(robots.rules_, [&](const Robots::Rule& a, const Robots::Rule& b) {
    if (octets(a) != octets(b)) return octets(a) > octets(b);
    if (a.allows != b.allows) return a.allows;
    return a.line < b.line;
  });
  robots.starts_.reserve(robots.rules_.size());
  for (const Robots::Rule& rule : robots.rules_) {
    const std::string_view text = robots.text_of(rule);
    const std::string_view start = text.substr(0, std::min<std::size_t>(text.find('*'), 8));
    Robots::Start entry = {};
    std::memcpy(&entry.bytes, start.data(), start.size());
    std::memset(&entry.mask, 0xFF, start.size());
    robots.starts_.push_back(entry);
  }
}

Robots RobotsParser::finish() && {
  Robots robots;
  const bool is_own = own_.is_named;
  const Part& part = is_own ? own_ : all_;
  robots.group_ = is_own ? Group::own : all_.is_named ? Group::all : Group::none;
  robots.rules_.reserve(part.rules.size());
  for (const Draft& draft : part.rules) append_draft(draft, robots);
  sort_rules(robots);
  robots.text_.shrink_to_fit();
  robots.crawl_delay_ = part.crawl_delay;

  // Removes duplicates and keeps the first of each.
  std::vector<std::size_t> order(sitemaps_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return sitemaps_[a] != sitemaps_[b] ? sitemaps_[a] < sitemaps_[b] : a < b;
  });
  const auto repeated = std::ranges::unique(
      order, [&](std::size_t a, std::size_t b) { return sitemaps_[a] == sitemaps_[b]; });
  order.erase(repeated.begin(), repeated.end());
  std::ranges::sort(order);
  for (const std::size_t i : order) robots.sitemaps_.push_back(std::move(sitemaps_[i]));
  return robots;
}

Robots Robots::parse(std::string_view bytes, std::string_view agent, const RobotsOptions& options) {
  RobotsParser parser(agent, options);
  parser.read(bytes);
  return std::move(parser).finish();
}

}  // namespace gossamer::robots
