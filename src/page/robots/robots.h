// robots.txt (RFC 9309): the rules of a site for one crawler.
//
//   const Robots robots = Robots::parse(body, "gossamer");
//   const Decision decision = robots.decide(url.request_target());
//   if (!decision.allowed) log("line {}: {}", decision.line, decision.pattern);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace gossamer::robots {

struct RobotsOptions {
  // The rest of a longer file is not read. RFC 9309 2.5 requires at least 500 KiB.
  std::size_t bytes_max = 500 * 1024;
  // A longer Crawl-delay is cut to this.
  Duration crawl_delay_max = 24h;
};

// The group whose rules apply.
enum class Group : std::uint8_t {
  none,  // the file has no rules for us
  all,   // the group `User-agent: *`
  own,   // the groups that name us
};

struct Decision {
  bool allowed = true;
  Group group = Group::none;
  // The line of the file that decided, from 1; 0 if no rule matched, which allows everything.
  std::uint32_t line = 0;
  // The rule's path as written in the file. BORROWS: from the Robots.
  std::string_view pattern;
};

// The rules of one file for one crawler. Groups that name it are merged; if none does, the group
// for all crawlers applies. The longest matching rule decides, and Allow wins between rules of
// equal length.
//
// Immutable, and small: a few dozen bytes per rule.
class Robots {
 public:
  // Allows everything, like a site without robots.txt.
  Robots() = default;

  // Never fails: invalid lines are skipped. `agent` is our product token ("gossamer"); of
  // "gossamer/1.0 (+https://...)" the first word counts.
  static Robots parse(std::string_view bytes, std::string_view agent,
                      const RobotsOptions& options = {});

  // Disallows everything, for a site whose robots.txt could not be fetched (RFC 9309 2.3.1.4).
  static Robots disallow_all();

  // `target` is the path and query of a URL, "/a?b=c". /robots.txt itself is always allowed.
  Decision decide(std::string_view target) const;
  bool allows(std::string_view target) const { return decide(target).allowed; }

  Group group() const noexcept { return group_; }
  std::size_t rule_count() const noexcept { return rules_.size(); }
  // The memory that it takes.
  std::size_t bytes_held() const noexcept;
  // Not part of the RFC, but many sites use it. Nothing if it is absent or invalid.
  std::optional<Duration> crawl_delay() const noexcept { return crawl_delay_; }
  // The Sitemap lines, in order and without duplicates, as written in the file: usually absolute
  // URLs, to be resolved against that of the file. They apply to every crawler.
  const std::vector<std::string>& sitemaps() const noexcept { return sitemaps_; }

 private:
  friend class RobotsParser;

  // The first bytes of a pattern up to its first `*`: they are enough to see that most rules do not
  // match.
  struct Start {
    std::uint64_t bytes;
    std::uint64_t mask;
  };
  struct Rule {
    std::uint32_t text;       // position of the normal form in text_
    std::uint32_t text_size;  // the longer rule wins
    std::uint32_t written;    // position of the pattern as written
    std::uint32_t written_size;
    std::uint32_t line;
    bool allows;
    bool has_star;
    bool is_anchored;  // ends with '$', which is not part of the text
  };

  bool matches(const Rule& rule, std::string_view target) const;
  std::string_view text_of(const Rule& rule) const {
    return std::string_view(text_).substr(rule.text, rule.text_size);
  }

  std::vector<Start> starts_;  // parallel to rules_
  std::vector<Rule> rules_;    // in order of precedence
  std::string text_;
  Group group_ = Group::none;
  std::optional<Duration> crawl_delay_;
  std::vector<std::string> sitemaps_;
};

// Returns the product token of an agent or of a User-agent line: its first word.
std::string_view product_token(std::string_view agent) noexcept;

}  // namespace gossamer::robots
