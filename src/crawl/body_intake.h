#pragma once

#include <cstdint>
#include <optional>

#include "async/task.h"
#include "base/result.h"
#include "crawl/engine_events.h"
#include "crawl/frontier/claim.h"
#include "crawl/options.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/page_sink.h"
#include "crawl/world.h"
#include "http/response.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// Reads the bodies of pages, each once: to the reader of links, to memory if the sink wants that,
// and to the archive, by way of a file if it is large.
class BodyIntake {
 public:
  // BORROWS: all.
  BodyIntake(World& world, const Settings& settings, EngineEvents& events)
      : world_(world), settings_(settings), events_(events) {}

  // Reads a body in steps. Returns why it is incomplete, if it is; the record has it, too. Fails if
  // the body cannot be stored. BORROWS: all.
  async::Task<Result<std::optional<Errc>>> read(Claim& claim, http::Response& response,
                                                PageReading& reading, Page& page);

 private:
  std::uint64_t bytes_max(BodyKind kind) const;

  World& world_;
  const Settings& settings_;
  EngineEvents& events_;
  wire::WholeDecoder decoder_;
};

}  // namespace gossamer::crawler
