#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "async/intrusive_list.h"
#include "async/routine.h"
#include "base/time.h"
#include "crawl/frontier/frontier.h"
#include "http/request_source.h"

namespace gossamer::crawler {

// A piece of work in the hands of a worker, as the engine can look it up while it is under way. If
// it is a page, also the one who asks for it: a request that is nothing but a URL is made again
// from the target, so while it waits for the answer there is only the one text.
class Fetch final : public async::ListNode<Fetch>, public http::RequestSource {
 public:
  // BORROWS: the worker.
  explicit Fetch(const async::Routine& worker) noexcept : task(worker) {}

  // What is to be done. REQUIRES: nothing is held.
  void begin(Claim&& claimed) noexcept;
  // REQUIRES, for both: it is a page, whose URL is one.
  const http::Request& request(http::Request& room) const override;
  http::Request& keep_request();
  void note(http::ExchangeStep step) noexcept override { claim.step = step; }

  Claim claim;
  const async::Routine& task;
  // One that says more than its URL.
  std::unique_ptr<http::Request> kept;
};

// What is known of a fetch, for people.
struct FetchFacts {
  std::string_view stage;  // "resolving", "robots", "connecting", ... "reading", "storing"
  std::string url;         // of a page; of other work: the origin
  std::string host;
  Duration age = Duration::zero();
  std::uint64_t bytes = 0;  // of the body, so far
  std::uint32_t tries = 0;  // so far, this one included
  std::string stack;        // of awaits, innermost first, a line each
};

// REQUIRES: the fetch's claim is held.
FetchFacts describe(const Fetch& fetch, Instant now);

}  // namespace gossamer::crawler
