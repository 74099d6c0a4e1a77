#include "engine/shard_mail.h"

#include <utility>

#include "url/url.h"

namespace gossamer::crawler {

std::uint64_t ShardMail::keep_sent(const std::string& url, std::uint64_t fingerprint,
                                   const Target& facts) {
  Target sent = facts;
  sent.url = url;
  return frontier_.send(fingerprint, sent);
}

void ShardMail::take_link(const std::string& url, const Target& facts) {
  const auto parsed = url::Url::parse(url);
  // A message to a closed origin keeps its ticket until it has its record.
  const bool is_kept = parsed && intake_.add(*parsed, facts) == Verdict::closed;
  if (!is_kept) frontier_.settle(facts);
}

void ShardMail::take_leased(const std::string& url, const Target& facts) {
  const auto parsed = url::Url::parse(url);
  const auto verdict = parsed ? intake_.add_leased(*parsed, facts) : Verdict::refused;
  const bool is_over = verdict == Verdict::refused || verdict == Verdict::seen;
  if (is_over) frontier_.settle(facts);
}

void ShardMail::take_undelivered() {
  for (const Frontier::Undelivered& sent : frontier_.take_undelivered()) {
    Target facts = sent.target;
    const std::string text = std::exchange(facts.url, {});
    if (!sent.is_again) {
      take_link(text, facts);
      continue;
    }
    facts.ticket = 0;
    if (const auto url = url::Url::parse(text)) frontier_.discover_again(*url, std::move(facts));
    frontier_.settle(sent.target);
  }
}

void ShardMail::take_refused(const std::string& url, std::uint64_t fingerprint, SkipReason reason,
                             const Target& facts, std::string detail) {
  // Another page may have found it without a reason to skip it.
  if (frontier_.knows(fingerprint, facts.depth)) return;
  intake_.refuse(url, fingerprint, reason, facts, std::move(detail));
}

void ShardMail::take_root(const std::string& url) {
  if (const auto parsed = url::Url::parse(url)) intake_.widen_here(*parsed);
}

}  // namespace gossamer::crawler
