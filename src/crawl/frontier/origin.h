// What a frontier knows of an origin, and of the host that it belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/intrusive_list.h"
#include "async/timer_heap.h"
#include "base/error.h"
#include "base/time.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/target.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/scope/skip_reason.h"
#include "robots/robots.h"
#include "url/url.h"

namespace gossamer::crawler {

struct Origin;

// robots.txt of an origin, and how long it holds.
struct OriginRules {
  robots::Robots robots;
  Instant good_until = base::kNever;
  std::optional<std::string> source = {};  // as it came, if it came just now
};

// Why nothing more is fetched from an origin: a failure, with which each of its targets is
// recorded, or a reason to skip them.
struct OriginEnd {
  SkipReason reason = SkipReason::none;  // none: the failure
  Errc failure = Errc::internal;
  std::string detail;
  // It may be over for another process. With a backlog its targets stay there for that.
  bool may_pass = false;
};

// The end of an origin whose host is parked. `wait_max` is the longest wait that we are ready for.
OriginEnd end_of_parked(ParkReason reason, Duration wait_max);

// Takes the targets of an origin that has ended, one by one.
using DropTarget = std::move_only_function<void(Target target, const OriginEnd& end)>;

// The origin of a URL as it stands in it: "https://example.com:8443".
// REQUIRES: http or https, without credentials. BORROWS: from the URL.
std::string_view origin_text(const url::Url& url) noexcept;

// One host name. All of its origins share a pace.
struct Host final : public async::ListNode<Host> {
  explicit Host(const PolitenessOptions& options) noexcept : pace(options) {}
  HostPace pace;
  std::string_view name = {};
  std::vector<Origin*> origins;
  std::unique_ptr<const OriginEnd> end;  // of origins to come, too; nullptr: none
  bool is_unreached = false;             // counted in Frontier::unreached()
  bool was_heard = false;                // it answered an earlier process
  bool is_listed = false;                // among those that may be idle
  bool is_recalled = false;              // the backlog may know its rules
  std::unique_ptr<DropTarget> drop;      // of Frontier::block_host(), with a backlog
};

// What must be done for an origin before its pages are fetched.
enum class OriginStage : std::uint8_t { unresolved, without_rules, open, closed };

// Told what happens to origins by itself, with time.
class OriginEvents {
 public:
  // The time of its host has come.
  virtual void wake(Origin& origin) noexcept = 0;
  // It has come into memory from the backlog.
  virtual void come_back(Origin& origin) = 0;

 protected:
  ~OriginEvents() = default;
};

// A scheme, a host and a port. It is one of the loop's timers while its host makes it wait.
struct Origin final : public async::ListNode<Origin>, public async::Timer {
  Origin(OriginEvents& listener, std::string text, Host& at) noexcept
      : events(listener), name(std::move(text)), host(at) {}

  void fire() noexcept override { events.wake(*this); }

  OriginEvents& events;
  const std::string name;  // "https://example.com:8443"
  Host& host;
  std::optional<async::Endpoint> address;  // without its port
  TargetQueue queue;
  std::size_t on_disk = 0;  // of those that wait, not in the queue but in the backlog
  std::unique_ptr<OriginRules> rules;
  std::unique_ptr<OriginEnd> end;
  OriginStage stage = OriginStage::unresolved;
  Duration crawl_delay = Duration::zero();
  std::size_t bytes = 0;      // of memory, about
  std::uint8_t tries = 0;     // to resolve it, or to fetch its robots.txt
  bool is_preparing = false;  // a worker resolves it or fetches its robots.txt
  bool is_ready = false;      // in line
  bool is_blocked = false;    // until its level is reached
  bool is_probed = false;     // robots.txt is fetched before the next page
  bool has_answered = false;  // in this process
};

}  // namespace gossamer::crawler
