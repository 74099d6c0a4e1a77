#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "crawl/engine_events.h"
#include "crawl/fetch.h"
#include "crawl/frontier/frontier.h"
#include "crawl/options.h"
#include "crawl/page/duplicates.h"
#include "crawl/page/link_intake.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/page_sink.h"
#include "crawl/page/redirect_loops.h"
#include "crawl/request_maker.h"
#include "crawl/session_renewal.h"
#include "crawl/world.h"
#include "wire/cookie_jar.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {

// Fetches one page: asks for it, reads it as it arrives, puts what it links to into the frontier,
// and says what became of it.
//
// While it waits for the answer it holds nothing: what reading takes is borrowed when the answer
// begins.
class Visitor {
 public:
  // BORROWS: all.
  Visitor(World& world, const Options& options, Hooks& hooks, Frontier& frontier,
          LinkIntake& intake, PageSink& sink, wire::CookieJar& cookies, EngineEvents& events);

  // A visit in two steps, so that nothing but the fetch and the client is there while the answer
  // is waited for: asks for the page, and takes what came of it. Fails only if the sink does, or
  // with Errc::cancelled. The claim is over then, or the caller's to give up. Work that is no page
  // gets no answer. BORROWS: the visitor and the fetch.
  async::Task<Result<http::Response>> ask(Fetch& fetch);
  // BORROWS: also the response.
  async::Task<Result<void>> take(Fetch& fetch, Result<http::Response>& response);

 private:
  // What an answer means for the host that gave it.
  struct Signs {
    HostSign host = HostSign::answered;
    std::optional<Duration> retry_after;
  };

  bool is_allowed(const Claim& claim, const url::Url& url);
  // Fails if the fetch is not to be sent; one whose claim is not held any more has been skipped.
  Result<void> prepare(Fetch& fetch);
  // With a password, or in a new session. BORROWS: the fetch.
  async::Task<Result<void>> ask_again(Fetch& fetch, http::Response response);
  // BORROWS: the fetch.
  async::Task<Result<void>> conclude(Fetch& fetch, http::Response response);
  // Takes all from an answer that it gives, and lets its connection go. BORROWS: all but that.
  async::Task<Signs> absorb(Claim& claim, const http::Request& request, http::Response response,
                            Page& page);
  // Whether an answer is no end yet: the target goes back into its queue, or stays where the next
  // process finds it.
  enum class Again : std::uint8_t { never, soon, next_time };
  Again asks_again(const Claim& claim, const Signs& signs) const;
  bool may_try_again(const Claim& claim, const Signs& signs) const;
  bool has_tries(const Claim& claim, const Signs& signs) const;
  // A host that answered before could not be connected to: that is no try of the page.
  bool is_unsent(const Claim& claim, const Signs& signs) const;
  // Puts a leaf that HEAD found nothing good about back into the queue, for a GET. False: there is
  // no more to be asked about it.
  bool ask_whole(Claim& claim, const url::Url& url);
  // Reads the body, in steps. Gives what kept it from being whole, which is in the record, too.
  // BORROWS: all.
  async::Task<std::optional<Errc>> read_body(Claim& claim, http::Response& response,
                                             PageReading& reading, Page& page);
  // Gives how its body is to be looked through.
  BodyKind note_head(const http::Response& response, const Target& target, FetchRecord& record);
  // Where it redirects to goes into the frontier.
  void follow_redirect(const Claim& claim, const url::Url& url, const http::Response& response,
                       FetchRecord& record);
  // For what reason no link of the page is followed; nothing: there is none.
  std::optional<SkipReason> objection(const Claim& claim, const http::Response& response,
                                      const PageReading& reading, const FetchRecord& record);
  // In steps, between which others have their turn. BORROWS: all.
  async::Task<void> follow_links(const Claim& claim, const url::Url& url,
                                 const http::Response& response, const PageReading& reading,
                                 FetchRecord& record);
  void note_copies(const Claim& claim, const PageReading& reading, FetchRecord& record);
  void suspect(const Claim& claim, const FetchRecord& record);
  // BORROWS: the claim.
  async::Task<Result<void>> fail_visit(Claim& claim, Error error);
  // Takes the page. A probe is no page of the crawl, and leaves no record. BORROWS: both.
  async::Task<Result<void>> hand_over(const Target& target, Page& page);
  // What was received for it counts all the same.
  void drop_record(const FetchRecord& record) { events_.on_unrecorded(record.wire_bytes); }
  // The ends of a claim.
  void finish(Claim& claim, const Signs& signs);
  void retry(Claim& claim, const Signs& signs);
  bool accepts_type(std::string_view mime) const;

  std::unique_ptr<PageReading> borrow();
  void give_back(std::unique_ptr<PageReading> reading);

  World& world_;
  const Options& options_;
  Hooks& hooks_;
  Frontier& frontier_;
  LinkIntake& intake_;
  PageSink& sink_;
  wire::CookieJar& cookies_;
  EngineEvents& events_;
  RequestMaker requests_;
  SessionRenewal renewal_;
  Duplicates duplicates_;
  RedirectLoops redirect_loops_;
  SoftNotFound soft_404_;
  std::vector<std::unique_ptr<PageReading>> readings_;
  wire::WholeDecoder decoder_;
};

}  // namespace gossamer::crawler
