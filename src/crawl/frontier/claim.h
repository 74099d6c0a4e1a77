#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "crawl/frontier/target.h"
#include "http/exchange_step.h"
#include "url/url.h"

namespace gossamer::crawler {

class Frontier;
struct Origin;
struct OriginRules;

// What a claim is for.
enum class Work : std::uint8_t {
  resolve,  // find the origin's address
  robots,   // fetch its robots.txt
  page,     // fetch the target
};

// One piece of work, held by one worker. Destroying it without an end gives it up.
class [[nodiscard]] Claim {
 public:
  Claim() = default;  // empty
  Claim(Claim&& other) noexcept
      : work(other.work),
        step(other.step),
        body_bytes(other.body_bytes),
        started(other.started),
        took(other.took),
        target(std::move(other.target)),
        frontier_(std::exchange(other.frontier_, nullptr)),
        origin_(other.origin_) {}
  Claim& operator=(Claim&&) = delete;
  ~Claim() { give_up(); }

  // Ends it without an end. No-op when it is not held.
  void give_up() noexcept;

  Work work = Work::page;
  // How far its holder has come with a page, for those who watch the crawl.
  http::ExchangeStep step = http::ExchangeStep::begun;
  std::uint32_t body_bytes = 0;  // received so far; stays at its maximum from 4 GiB on
  Instant started = {};
  // Until the answer was there, if its holder did something else after that; negative: until now.
  Duration took = Duration(-1);
  Target target;  // of a page; for other work only `tries` has a meaning

  // It has not ended, nor been handed on.
  bool is_held() const { return frontier_ != nullptr; }
  // REQUIRES, for all of them: is_held().
  // Of what is claimed: "https://example.com". BORROWS: while the claim is held.
  std::string_view origin() const;
  // Nothing while they are not known.
  const OriginRules* rules() const;
  // The URL of a page, as Url::assign() reads it, but quicker.
  [[nodiscard]] url::UrlFailure read_url(url::Url& url) const;

 private:
  friend class Frontier;
  Claim(Frontier& frontier, Origin& origin, Work kind, Instant now) noexcept
      : work(kind), started(now), frontier_(&frontier), origin_(&origin) {}

  Frontier* frontier_ = nullptr;
  Origin* origin_ = nullptr;
};

}  // namespace gossamer::crawler
