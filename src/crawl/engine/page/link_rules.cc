#include "engine/page/link_rules.h"

#include <fmt/format.h>

namespace gossamer::crawler {

std::string describe(const robots::Decision& decision) {
  return fmt::format("robots.txt line {}: {}", decision.line, decision.pattern);
}

SkipReason RobotsRule::judge(const url::Url& url, const LinkFacts& /*facts*/) const {
  if (!options_.obeys_robots) return SkipReason::none;
  const OriginRules* const rules = frontier_.rules_for(url);
  const bool is_allowed = rules == nullptr || rules->robots.decide(url.request_target()).allowed;
  return is_allowed ? SkipReason::none : SkipReason::robots;
}

std::string RobotsRule::forbidding_line(const url::Url& url) const {
  const OriginRules* const rules = frontier_.rules_for(url);
  return rules == nullptr ? std::string() : describe(rules->robots.decide(url.request_target()));
}

SkipReason NewHostRule::judge(const url::Url& url, const LinkFacts& facts) {
  if (facts.is_unguarded() || frontier_.knows_host(url.hostname())) return SkipReason::none;
  // The crawl is ending for lack of memory, so new hosts would only be dropped.
  if (frontier_.has_no_room()) return SkipReason::stopped;
  return traps_.judge_host(url.hostname());
}

}  // namespace gossamer::crawler
