// The rules of an engine, besides those of the scope.
#pragma once

#include <cstdint>
#include <string>

#include "engine/setup/options.h"
#include "frontier/frontier.h"
#include "record/skip_reason.h"
#include "robots/robots.h"
#include "scope/link_rule.h"
#include "scope/logout.h"
#include "scope/seen_set.h"
#include "scope/traps.h"
#include "url/url.h"

namespace gossamer::crawler {

// A logout would end the session of the crawl.
class LogoutRule {
 public:
  explicit LogoutRule(bool is_on) noexcept : is_on_(is_on) {}
  SkipReason judge(const url::Url& url, const LinkFacts& facts) const {
    const bool leads_out = is_on_ && !facts.is_root && leads_to_logout(url);
    return leads_out ? SkipReason::logout : SkipReason::none;
  }

 private:
  const bool is_on_;
};

// The filters of the program that embeds the crawler.
class FilterRule {
 public:
  // BORROWS: the hooks, for the life of this object.
  FilterRule(Hooks& hooks, std::uint64_t salt) : hooks_(hooks), rejected_(salt) {}
  // From now on the URL is rejected.
  void reject(std::uint64_t fingerprint) { rejected_.insert(fingerprint); }
  SkipReason judge(const url::Url& url, const LinkFacts& facts) {
    if (hooks_.wants_url && !hooks_.wants_url(url)) return SkipReason::filtered;
    return judge_again(facts);
  }
  // The decision about a URL that judge() let pass, after reject().
  SkipReason judge_again(const LinkFacts& facts) const {
    return rejected_.contains(facts.fingerprint) ? SkipReason::filtered : SkipReason::none;
  }

 private:
  Hooks& hooks_;
  SeenSet rejected_;  // by Hooks::wants_urls
};

// The robots.txt of the origin, if it is known; else it is applied when the URL is claimed.
class RobotsRule {
 public:
  // BORROWS: both, for the life of this object.
  RobotsRule(const Options& options, const Frontier& frontier)
      : options_(options), frontier_(frontier) {}
  SkipReason judge(const url::Url& url, const LinkFacts& facts) const;
  // Returns the line that forbids the URL: "robots.txt line 3: /private/". Empty: none.
  std::string forbidding_line(const url::Url& url) const;

 private:
  const Options& options_;
  const Frontier& frontier_;
};

// The guard against domains with endless hosts, and the end of a crawl without memory for more.
class NewHostRule {
 public:
  // BORROWS: both, for the life of this object.
  NewHostRule(const Frontier& frontier, Traps& traps) : frontier_(frontier), traps_(traps) {}
  SkipReason judge(const url::Url& url, const LinkFacts& facts);

 private:
  const Frontier& frontier_;
  Traps& traps_;
};

// "robots.txt line 3: /private/"
std::string describe(const robots::Decision& decision);

}  // namespace gossamer::crawler
