#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/mutex.h"
#include "async/task.h"
#include "base/result.h"
#include "crawl/flight.h"
#include "crawl/frontier/frontier.h"
#include "crawl/options.h"
#include "crawl/page/duplicates.h"
#include "crawl/page/link_intake.h"
#include "crawl/page/page_reading.h"
#include "crawl/page/page_sink.h"
#include "crawl/page/redirect_loops.h"
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
          LinkIntake& intake, PageSink& sink, wire::CookieJar& cookies);

  // Who counts the records, each before it goes to the sink.
  void on_record(std::move_only_function<void(const FetchRecord&)> callback) {
    on_record_ = std::move(callback);
  }

  // Who counts what is received, as it arrives.
  void on_received(std::move_only_function<void(std::uint64_t bytes)> callback) {
    on_received_ = std::move(callback);
  }

  // Who counts what was received for an answer that leaves no record: it was cut off by the end of
  // the crawl, it is asked for again, or it was a probe.
  void on_unrecorded(std::move_only_function<void(std::uint64_t bytes)> callback) {
    on_unrecorded_ = std::move(callback);
  }

  // Who is told of targets whose visit was cut off by the end of the crawl.
  void on_cut(std::move_only_function<void(const Target&)> callback) {
    on_cut_ = std::move(callback);
  }

  // Who is told of origins whose host failed too often in a row.
  void on_parked(std::move_only_function<void(std::string_view origin)> callback) {
    on_parked_ = std::move(callback);
  }

  // Who is waited for where there were too few descriptors. The target has gone back by then.
  void on_shortage(std::move_only_function<async::Task<Result<void>>()> callback) {
    on_shortage_ = std::move(callback);
  }

  // A visit in two steps, so that nothing but the flight and the client is there while the answer
  // is waited for: asks for the page, and takes what came of it. Fails only if the sink does, or
  // with Errc::cancelled. The claim is over then, or the caller's to give up. Work that is no page
  // gets no answer. BORROWS: the visitor and the flight.
  async::Task<Result<http::Response>> ask(Flight& flight);
  // BORROWS: also the response.
  async::Task<Result<void>> take(Flight& flight, Result<http::Response>& response);

 private:
  // What an answer means for the host that gave it.
  struct Signs {
    HostSign host = HostSign::answered;
    std::optional<Duration> retry_after;
  };

  Result<http::Request> make_request(const Claim& claim);
  bool is_allowed(const Claim& claim, const url::Url& url);
  // Fails if the flight is not to be sent; one whose claim is not held any more has been skipped.
  Result<void> prepare(Flight& flight);
  // A password is wanted, or the session has ended (visitor_again.cc).
  bool may_ask_again(const Flight& flight, const http::Response& response) const;
  const LoginOptions* lost_login(const http::Request& request,
                                 const http::Response& response) const;
  // Gives the request the cookies of a new session, if there is one to be had. BORROWS: all.
  async::Task<Result<void>> renew(const LoginOptions& login, const Claim& claim,
                                  http::Request& request);
  // BORROWS: the flight.
  async::Task<Result<void>> ask_again(Flight& flight, http::Response response);
  // BORROWS: the flight.
  async::Task<Result<void>> conclude(Flight& flight, http::Response response);
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
  // HEAD is often refused, or answered with something else than GET is.
  bool is_asked_by_head(const Target& target) const;
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
  void drop_record(const FetchRecord& record) {
    if (on_unrecorded_) on_unrecorded_(record.wire_bytes);
  }
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
  Duplicates duplicates_;
  RedirectLoops redirect_loops_;
  SoftNotFound soft_404_;
  async::Mutex renewing_;
  std::uint32_t renewals_ = 0;  // of sessions
  std::vector<std::unique_ptr<PageReading>> readings_;
  wire::WholeDecoder decoder_;
  std::move_only_function<void(const FetchRecord&)> on_record_;
  std::move_only_function<void(std::uint64_t)> on_received_;
  std::move_only_function<void(std::uint64_t)> on_unrecorded_;
  std::move_only_function<void(const Target&)> on_cut_;
  std::move_only_function<void(std::string_view)> on_parked_;
  std::move_only_function<async::Task<Result<void>>()> on_shortage_;
};

}  // namespace gossamer::crawler
