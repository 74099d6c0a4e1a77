// The state of an origin and of its host in a frontier.
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
#include "frontier/politeness.h"
#include "frontier/put_off.h"
#include "frontier/target.h"
#include "frontier/target_queue.h"
#include "record/skip_reason.h"
#include "robots/robots.h"
#include "url/url.h"

namespace gossamer::crawler {

struct Origin;

// The robots.txt of an origin, and when it expires.
struct OriginRules {
  robots::Robots robots;
  Instant good_until = base::kNever;
  // Only the backlog has them: HostMemory::rules_of() reads them.
  bool are_away = false;
};

// Why an origin is closed: a failure, which is recorded for each of its targets, or a reason to
// skip them.
struct OriginEnd {
  SkipReason reason = SkipReason::none;  // none: the failure
  Errc failure = Errc::internal;
  std::string detail;
  // The reason may be temporary. With a backlog, the targets stay stored for a later process.
  bool may_pass = false;
};

// The end of an origin whose host is parked. `wait_max` is the longest accepted wait.
OriginEnd end_of_parked(ParkReason reason, Duration wait_max);

// Receives the targets of a closed origin, one by one.
using DropTarget = std::move_only_function<void(Target target, const OriginEnd& end)>;

// Ignores them, so they stay in the backlog.
inline constexpr auto kKeepInBacklog = [](const Target&, const OriginEnd&) {};

// Returns the origin part of a URL: "https://example.com:8443".
// REQUIRES: http or https, without credentials. BORROWS: the URL.
std::string_view origin_text(const url::Url& url) noexcept;

// Why a host is closed for its future origins, too.
struct HostEnd {
  OriginEnd end;
  DropTarget drop = kKeepInBacklog;  // for targets of the backlog
};

// One host name. All of its origins share a pace.
struct Host final : public async::ListNode<Host> {
  explicit Host(const PolitenessOptions& options) noexcept : pace(options) {}
  HostPace pace;
  std::string_view name = {};
  std::vector<Origin*> origins;
  std::unique_ptr<HostEnd> end;  // nullptr: it is not closed
  // When a lease ends; then no request starts.
  Instant leased_until = base::kNever;
  bool is_unreached = false;  // counted in Frontier::unreached()
  bool was_heard = false;     // it answered in an earlier process
  bool is_listed = false;     // in the list of possibly idle hosts
  bool is_recalled = false;   // the backlog may have its rules
};

// The preparation of an origin before its pages are fetched.
enum class OriginStage : std::uint8_t { unresolved, without_rules, open, closed };

// Receives events of origins that happen later.
class OriginEvents {
 public:
  // Its host allows a request now.
  virtual void wake(Origin& origin) noexcept = 0;
  // It was brought into memory from the backlog.
  virtual void come_back(Origin& origin) = 0;

 protected:
  ~OriginEvents() = default;
};

// A scheme, a host and a port. While its host is paused, it is one of the loop's timers.
struct Origin final : public async::ListNode<Origin>, public async::Timer {
  Origin(OriginEvents& listener, std::string text, Host& at) noexcept
      : events(listener), name(std::move(text)), host(at) {}

  void fire() noexcept override { events.wake(*this); }
  // True if a target is in memory.
  bool has_target() const noexcept { return !queue.empty() || !put_off.empty(); }

  OriginEvents& events;
  const std::string name;  // "https://example.com:8443"
  Host& host;
  std::optional<async::Endpoint> address;  // without its port
  TargetQueue queue;
  PutOffTargets put_off;
  std::size_t on_disk = 0;  // queued targets that are only in the backlog
  std::unique_ptr<OriginRules> rules;
  std::unique_ptr<OriginEnd> end;
  Duration crawl_delay = Duration::zero();
  std::size_t bytes = 0;  // approximate memory
  OriginStage stage = OriginStage::unresolved;
  std::uint8_t tries = 0;      // of resolving it or fetching its robots.txt
  bool is_preparing = false;   // a worker resolves it or fetches its robots.txt
  bool is_ready = false;       // in the list of ready origins
  bool is_blocked = false;     // until its level is reached
  bool is_probed = false;      // robots.txt is fetched before the next page
  bool has_new_rules = false;  // no page was claimed since
  bool has_answered = false;   // in this process
};

}  // namespace gossamer::crawler
