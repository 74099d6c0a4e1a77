#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "engine/body_intake.h"
#include "engine/fetch.h"
#include "engine/host_signs.h"
#include "engine/page/body_memory.h"
#include "engine/page/duplicates.h"
#include "engine/page/link_filter.h"
#include "engine/page/link_intake.h"
#include "engine/page/page_contents.h"
#include "engine/page/page_reading.h"
#include "engine/page/redirect_loops.h"
#include "engine/page_readings.h"
#include "engine/page_rendering.h"
#include "engine/request_maker.h"
#include "engine/session_renewal.h"
#include "engine/setup/engine_events.h"
#include "engine/setup/options.h"
#include "engine/setup/world.h"
#include "frontier/frontier.h"
#include "record/page_sink.h"
#include "robots/page_rules.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {

// Fetches one page: sends the request, reads the response as it arrives, adds the links to the
// frontier, and passes the record to the sink.
//
// While it waits for the response it holds nothing; buffers are borrowed when the response begins.
class Visitor {
 public:
  // BORROWS: all.
  Visitor(World& world, const Options& options, Hooks& hooks, Frontier& frontier,
          LinkIntake& intake, PageSink& sink, wire::CookieJar& cookies, BodyMemory& memory,
          EngineEvents& events);

  // A visit has two steps, so that only the fetch and the client use memory while the response is
  // pending: send the request, then handle the response. Fails only if the sink does, or with
  // Errc::cancelled. The claim has ended then, or the caller gives it up. Work that is not a page
  // has no response. BORROWS: the visitor and the fetch.
  async::Task<Result<http::Response>> ask(Fetch& fetch);
  // BORROWS: also the response.
  async::Task<Result<void>> take(Fetch& fetch, Result<http::Response>& response);

 private:
  using Signs = HostSigns;

  bool is_allowed(const Claim& claim, const url::Url& url);
  // Fails if the request must not be sent; if the claim is no longer held, the URL was skipped.
  Result<void> prepare(Fetch& fetch);
  // Sends a request that a hook may change before. BORROWS: the fetch.
  async::Task<Result<http::Response>> ask_prepared(Fetch& fetch);
  // Repeats the request with a password or in a new session. BORROWS: the fetch.
  async::Task<Result<void>> ask_again(Fetch& fetch, http::Response response);
  // BORROWS: the fetch.
  async::Task<Result<void>> conclude(Fetch& fetch, http::Response response);
  // Reads a response completely and frees its connection. Fails if its body cannot be stored.
  // BORROWS: all but the response.
  async::Task<Result<Signs>> absorb(Claim& claim, const http::Request& request,
                                    http::Response response, Page& page, BodyMemory::Share& memory);
  // Replaces the reading of a page by that of the rendered page. Fails only if the sink does.
  // BORROWS: all.
  async::Task<Result<void>> render(PageRendering::Page page, PageRendering::Plan plan,
                                   std::unique_ptr<PageReading>& reading, FetchRecord& record);
  // Waits until there is memory for what follows after the body, and makes the outlinks of its
  // capture. BORROWS: all.
  async::Task<Result<void>> take_links(const url::Url& url, const PageReading& reading, Page& page,
                                       BodyMemory::Share& memory);
  // Returns true if the response is not final: the target returns to its queue, or stays stored for
  // the next process.
  enum class Again : std::uint8_t { never, soon, next_time };
  Again asks_again(const Claim& claim, const Signs& signs) const;
  bool may_try_again(const Claim& claim, const Signs& signs) const;
  bool has_tries(const Claim& claim, const Signs& signs) const;
  // True if a host that answered before could not be connected to. This does not count as an
  // attempt at the page.
  bool is_unsent(const Claim& claim, const Signs& signs) const;
  // Queues a leaf again for GET if HEAD failed. Returns false if the result is final.
  bool ask_whole(Claim& claim, const url::Url& url);
  // Returns how to read the body.
  BodyKind note_head(const http::Response& response, const Target& target, FetchRecord& record);
  // Adds the target of a redirect to the frontier.
  void follow_redirect(const Claim& claim, const url::Url& url, const http::Response& response,
                       FetchRecord& record);
  // Returns why no link of the page is followed; empty: links are followed.
  std::optional<SkipReason> objection(const Claim& claim, const robots::PageRules& rules,
                                      const FetchRecord& record);
  // Returns the rules of the page and of its response.
  robots::PageRules rules_of(const http::Response& response, const PageReading& reading) const;
  // Works in steps, so that other tasks can run in between. BORROWS: all.
  async::Task<void> follow_links(const Claim& claim, const url::Url& url,
                                 const http::Response& response, const PageReading& reading,
                                 FetchRecord& record);
  void note_copies(const Claim& claim, const PageReading& reading, FetchRecord& record);
  void suspect(const Claim& claim, const FetchRecord& record);
  // BORROWS: the claim.
  async::Task<Result<void>> fail_visit(Claim& claim, Error error);
  // Finishes the page. A probe is not a page of the crawl and has no record. BORROWS: both.
  async::Task<Result<void>> hand_over(const Target& target, Page& page);
  // Counts the received bytes.
  void drop_record(const FetchRecord& record) { events_.on_unrecorded(record.wire_bytes); }
  // The ends of a claim.
  void finish(Claim& claim, const Signs& signs);
  void retry(Claim& claim, const Signs& signs);
  bool accepts_type(std::string_view mime) const;

  World& world_;
  const Options& options_;
  Hooks& hooks_;
  Frontier& frontier_;
  LinkIntake& intake_;
  PageSink& sink_;
  wire::CookieJar& cookies_;
  EngineEvents& events_;
  LinkFilter filter_;
  RequestMaker requests_;
  SessionRenewal renewal_;
  Duplicates duplicates_;
  RedirectLoops redirect_loops_;
  SoftNotFound soft_404_;
  BodyMemory& memory_;
  BodyIntake bodies_;
  PageContents contents_;
  PageRendering rendering_;
  PageReadings readings_;
};

}  // namespace gossamer::crawler
