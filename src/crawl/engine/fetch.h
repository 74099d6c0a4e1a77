#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "async/intrusive_list.h"
#include "async/routine.h"
#include "base/time.h"
#include "frontier/frontier.h"
#include "http/request_source.h"

namespace gossamer::crawler {

// The current work of a worker; the engine can inspect it at any time. For a page it also provides
// the request: a plain request is made again from the target, so a waiting fetch stores the URL
// only once.
class Fetch final : public async::ListNode<Fetch>, public http::RequestSource {
 public:
  // BORROWS: the worker.
  explicit Fetch(const async::Routine& worker) noexcept : task(worker) {}

  // Sets the work. REQUIRES: no claim is held.
  void begin(Claim&& claimed) noexcept;
  // REQUIRES, for both: it is a page with a valid URL.
  const http::Request& request(http::Request& room) const override;
  http::Request& keep_request();
  void note(http::ExchangeStep step) noexcept override { claim.step = step; }

  Claim claim;
  const async::Routine& task;
  // A request with more than its URL.
  std::unique_ptr<http::Request> kept;
};

// The state of a fetch, for people.
struct FetchFacts {
  std::string_view stage;  // "resolving", "robots", "connecting", ... "reading", "storing"
  std::string url;         // of a page; for other work: the origin
  std::string host;
  Duration age = Duration::zero();
  std::uint64_t bytes = 0;  // of the body, so far
  std::uint32_t tries = 0;  // so far, including this one
  std::string stack;        // of awaits, innermost first, a line each
};

// REQUIRES: the fetch's claim is held.
FetchFacts describe(const Fetch& fetch, Instant now);

}  // namespace gossamer::crawler
