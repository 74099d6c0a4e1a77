#pragma once

#include <cstdint>
#include <optional>

#include "async/task.h"
#include "base/result.h"
#include "engine/page/body_memory.h"
#include "engine/page/page_reading.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/claim.h"
#include "http/body.h"
#include "http/response.h"
#include "record/page_sink.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// Reads the bodies of pages, each once: to the reader of links, to memory if the sink wants that,
// and to the archive, by way of a file if it is large.
class BodyIntake {
 public:
  // BORROWS: all.
  BodyIntake(World& world, const Settings& settings, EngineEvents& events)
      : world_(world), settings_(settings), events_(events) {}

  // Where a body goes. BORROWS: all.
  struct Destination {
    PageReading& reading;
    Page& page;
    BodyMemory::Share& memory;
  };
  // Reads a body in steps. Returns why it is incomplete, if it is; the record has it, too. Fails if
  // the body cannot be stored. BORROWS: all.
  async::Task<Result<std::optional<Errc>>> read(Claim& claim, http::Response& response,
                                                Destination to);

 private:
  std::uint64_t bytes_max(BodyKind kind) const;
  // Waits until there is memory for the next piece. If there is little, a captured payload goes to
  // its file early. Fails if it cannot be stored. BORROWS: all.
  async::Task<Result<void>> make_room(http::BodyReader& body, Destination to);
  // Notes that so much was received. BORROWS: the claim.
  void count(Claim& claim, std::uint64_t received, std::uint64_t before);

  World& world_;
  const Settings& settings_;
  EngineEvents& events_;
  wire::WholeDecoder decoder_;
};

}  // namespace gossamer::crawler
