// robots.txt (RFC 9309): what a site asks of one crawler.
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
  // What lies beyond is not read. RFC 9309 2.5 asks for at least 500 KiB.
  std::size_t bytes_max = 500 * 1024;
  // A longer Crawl-delay is cut to this.
  Duration crawl_delay_max = 24h;
};

// Whose rules were used.
enum class Group : std::uint8_t {
  none,  // the file has nothing for us
  all,   // those of `User-agent: *`
  own,   // those that name us
};

struct Decision {
  bool allowed = true;
  Group group = Group::none;
  // The line of the file that decided, from 1; 0: no rule matched, which allows everything.
  std::uint32_t line = 0;
  // The rule's path as it stands in the file. BORROWS: from the Robots.
  std::string_view pattern;
};

// The rules of one file for one crawler: groups that name it are merged; those for everybody
// count if none does. The longest rule that matches decides, and of equally long ones an Allow.
//
// Immutable, and small: a few dozen bytes a rule.
class Robots {
 public:
  // Everything is allowed, as it is where there is no robots.txt.
  Robots() = default;

  // Never fails: lines that make no sense are skipped. `agent` is our product token ("gossamer");
  // of "gossamer/1.0 (+https://...)" the first word counts.
  static Robots parse(std::string_view bytes, std::string_view agent,
                      const RobotsOptions& options = {});

  // As if the file said `Disallow: /`: for a site whose robots.txt cannot be had (RFC
  // 9309 2.3.1.4).
  static Robots disallow_all();

  // `target` is the path and query of a URL, "/a?b=c". /robots.txt itself is always allowed.
  Decision decide(std::string_view target) const;
  bool allows(std::string_view target) const { return decide(target).allowed; }

  Group group() const noexcept { return group_; }
  std::size_t rule_count() const noexcept { return rules_.size(); }
  // Not part of the RFC, but many sites have it. Nothing where there is none that can be read.
  std::optional<Duration> crawl_delay() const noexcept { return crawl_delay_; }
  // The Sitemap lines, in order and each once, as they stand in the file: usually absolute URLs,
  // to be resolved against that of the file. They are for every crawler.
  const std::vector<std::string>& sitemaps() const noexcept { return sitemaps_; }

 private:
  friend class RobotsParser;

  // The first bytes of a pattern up to its first `*`: most rules can be told not to match by
  // looking at these alone.
  struct Start {
    std::uint64_t bytes;
    std::uint64_t mask;
  };
  struct Rule {
    std::uint32_t text;       // place of the normal form in text_
    std::uint32_t text_size;  // also what makes a rule win
    std::uint32_t written;    // place of the pattern as written
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

  std::vector<Start> starts_;  // beside rules_
  std::vector<Rule> rules_;    // the one that wins first
  std::string text_;
  Group group_ = Group::none;
  std::optional<Duration> crawl_delay_;
  std::vector<std::string> sitemaps_;
};

// The product token of an agent or of a User-agent line: its first word.
std::string_view product_token(std::string_view agent) noexcept;

}  // namespace gossamer::robots
