#pragma once

#include <string_view>

#include "async/task.h"
#include "base/result.h"
#include "engine/page/body_memory.h"
#include "engine/page/link_intake.h"
#include "engine/robots_fetch.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// Prepares an origin before its pages are fetched: resolves its name and fetches its robots.txt.
class OriginPreparer {
 public:
  // BORROWS: all.
  OriginPreparer(World& world, const Options& options, Frontier& frontier, LinkIntake& intake,
                 PageSink& sink, BodyMemory& memory, EngineEvents& events);

  // Both fail only if the sink does, or with Errc::cancelled. The claim has ended then, or the
  // caller gives it up.
  async::Task<Result<void>> resolve(Claim& claim);      // BORROWS: the claim
  async::Task<Result<void>> fetch_rules(Claim& claim);  // BORROWS: the claim

 private:
  void take_rules(Claim claim, RobotsAnswer answer);
  // Returns whether to retry an origin that could not be prepared.
  bool spend_try(Claim& claim) const;
  bool has_tries(Claim& claim) const;
  void add_sitemaps(std::string_view origin, const robots::Robots& robots);
  // Closes the origin: nothing more is fetched from it.
  void close(Claim claim, OriginEnd end);

  World& world_;
  const Options& options_;
  Frontier& frontier_;
  LinkIntake& intake_;
  PageSink& sink_;
  BodyMemory& memory_;
  EngineEvents& events_;
  wire::WholeDecoder decoder_;
};

}  // namespace gossamer::crawler
