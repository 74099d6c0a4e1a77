#pragma once

#include <string_view>

#include "async/task.h"
#include "base/result.h"
#include "crawl/engine_events.h"
#include "crawl/frontier/frontier.h"
#include "crawl/options.h"
#include "crawl/page/link_intake.h"
#include "crawl/page/page_sink.h"
#include "crawl/robots_fetch.h"
#include "crawl/world.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// Does what an origin needs before its pages are fetched: finds its address, and fetches its
// robots.txt.
class OriginPreparer {
 public:
  // BORROWS: all.
  OriginPreparer(World& world, const Options& options, Frontier& frontier, LinkIntake& intake,
                 PageSink& sink, EngineEvents& events);

  // Both fail only if the sink does, or with Errc::cancelled. The claim has ended then, or is the
  // caller's to give up.
  async::Task<Result<void>> resolve(Claim& claim);      // BORROWS: the claim
  async::Task<Result<void>> fetch_rules(Claim& claim);  // BORROWS: the claim

 private:
  void take_rules(Claim claim, RobotsAnswer answer);
  // Whether an origin that could not be prepared is to be tried again.
  bool spend_try(Claim& claim) const;
  bool has_tries(Claim& claim) const;
  void add_sitemaps(std::string_view origin, const robots::Robots& robots);
  // Nothing more is fetched from the origin.
  void close(Claim claim, OriginEnd end);

  World& world_;
  const Options& options_;
  Frontier& frontier_;
  LinkIntake& intake_;
  PageSink& sink_;
  EngineEvents& events_;
  const RobotsFetchOptions robots_options_;
  wire::WholeDecoder decoder_;
};

}  // namespace gossamer::crawler
