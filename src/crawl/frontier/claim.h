#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "frontier/target.h"
#include "http/exchange_step.h"
#include "url/url.h"

namespace gossamer::crawler {

class Frontier;
struct Origin;
struct OriginRules;

// The kind of work.
enum class Work : std::uint8_t {
  resolve,  // find the origin's address
  robots,   // fetch its robots.txt
  page,     // fetch the target
};

// One piece of work, held by one worker. The destructor gives it up if it has not ended.
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

  // Gives it up. No-op if it is not held.
  void give_up() noexcept;

  Work work = Work::page;
  // The progress of a page, for `gossamer top`.
  http::ExchangeStep step = http::ExchangeStep::begun;
  std::uint32_t body_bytes = 0;  // received so far; stays at its maximum from 4 GiB on
  Instant started = {};
  // The time until the response was there, if other work followed; negative: until now.
  Duration took = Duration(-1);
  Target target;  // of a page; for other work only `tries` is used

  // True if it has not ended and was not moved.
  bool is_held() const { return frontier_ != nullptr; }
  // REQUIRES, for all of them: is_held().
  // The origin: "https://example.com". BORROWS: while the claim is held.
  std::string_view origin() const;
  // nullptr while the rules are unknown. BORROWS: until this is called for any claim.
  const OriginRules* rules() const;
  // Parses the URL of a page like Url::assign(), but faster.
  [[nodiscard]] url::UrlFailure read_url(url::Url& url) const;

 private:
  friend class Frontier;
  Claim(Frontier& frontier, Origin& origin, Work kind, Instant now) noexcept
      : work(kind), started(now), frontier_(&frontier), origin_(&origin) {}

  Frontier* frontier_ = nullptr;
  Origin* origin_ = nullptr;
};

}  // namespace gossamer::crawler
