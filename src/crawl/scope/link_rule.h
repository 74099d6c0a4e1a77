// The rules that a link must pass, in one list.
#pragma once

#include <concepts>
#include <cstdint>
#include <tuple>

#include "record/skip_reason.h"
#include "scope/stored_count.h"
#include "url/url.h"

namespace gossamer::crawler {

// How a URL was found.
struct LinkFacts {
  std::uint64_t fingerprint = 0;  // of its crawl identity
  // The series of numbered pages that it shares with the page it was found on. 0: none.
  std::uint64_t series = 0;
  // The number of links from a root; redirects do not count.
  std::uint32_t depth = 0;
  // A root or its redirect target. (To widen the scope, call Scope::add_root() with the target.)
  bool is_root = false;
  // An image, style or script of a crawled page, or an import of such a style.
  bool is_requisite = false;
  bool is_leaf = false;
  // Where the scope ends, it becomes a leaf.
  bool may_become_leaf = false;
  // The rules of its finder have let it pass before.
  bool has_passed = false;

  // Guards against endless sites do not apply to it.
  bool is_unguarded() const noexcept { return is_root || is_leaf; }
};

// What became of a link.
enum class Verdict : std::uint8_t {
  added,
  seen,     // found before
  refused,  // by a rule
  closed,   // it passed all rules, but its origin is closed
};

// Decides about new URLs, each once; some rules count them. A rule with recall() restores such a
// count of an earlier process, and ignores those of other rules.
template <class Rule>
concept LinkRule = requires(Rule& rule, const url::Url& url, const LinkFacts& facts) {
  { rule.judge(url, facts) } -> std::same_as<SkipReason>;
};

// Rules in the order in which they decide.
template <LinkRule... Rules>
class LinkRules {
 public:
  // BORROWS: the rules, for the life of this object.
  explicit LinkRules(Rules&... rules) noexcept : rules_(rules...) {}

  // Returns the reason of the first rule that rejects the URL; SkipReason::none: it passes.
  SkipReason judge(const url::Url& url, const LinkFacts& facts) {
    SkipReason reason = SkipReason::none;
    const auto passes = [&](auto& rule) {
      reason = rule.judge(url, facts);
      return reason == SkipReason::none;
    };
    std::apply([&](auto&... rules) { static_cast<void>((passes(rules) && ...)); }, rules_);
    return reason;
  }

  void recall(const StoredCount& count) {
    const auto tell = [&](auto& rule) {
      if constexpr (requires { rule.recall(count); }) rule.recall(count);
    };
    std::apply([&](auto&... rules) { (tell(rules), ...); }, rules_);
  }

 private:
  std::tuple<Rules&...> rules_;
};

}  // namespace gossamer::crawler
