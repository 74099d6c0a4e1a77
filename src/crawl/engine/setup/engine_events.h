#pragma once

#include <cstdint>
#include <string_view>

#include "async/task.h"
#include "base/result.h"
#include "frontier/origin.h"
#include "frontier/target.h"
#include "record/record.h"

namespace gossamer::crawler {

// Events that the parts of an engine report to it.
class EngineEvents {
 public:
  // A URL was skipped. Each is reported once.
  virtual void on_skip(const SkippedUrl& skipped) = 0;
  // A target of a closed origin.
  virtual void on_drop(Target target, const OriginEnd& end) = 0;
  // The host of an origin failed too often in a row.
  virtual void on_parked(std::string_view origin) = 0;
  // The end of the crawl interrupted the visit of a target.
  virtual void on_cut(const Target& target) = 0;
  // A record, before it goes to the sink.
  virtual void on_record(const FetchRecord& record) = 0;
  // Bytes that were received, as they arrive.
  virtual void on_received(std::uint64_t bytes) = 0;
  // Bytes of a response that has no record: the end of the crawl interrupted it, it is fetched
  // again, or it was a probe.
  virtual void on_unrecorded(std::uint64_t bytes) = 0;
  // The descriptors ran out; the target is back in its queue. Waits until some may be free.
  virtual async::Task<Result<void>> on_shortage() = 0;

 protected:
  ~EngineEvents() = default;
};

}  // namespace gossamer::crawler
