#include "engine/visitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "async/sleep.h"
#include "engine/host_signs.h"
#include "engine/page/capturing.h"
#include "engine/page/page_links.h"
#include "http/body.h"
#include "http/redirect.h"
#include "url/secrets.h"
#include "wire/content_type.h"

namespace gossamer::crawler {
namespace {

// Attempts at a URL whose server sends 429 or 503.
constexpr std::uint32_t kRefusedTriesMax = 10;

bool is_success(int status) { return status >= 200 && status < 300; }
async::Task<Result<void>> nothing() { co_return {}; }
async::Task<Result<http::Response>> refusal(Error error) { co_return fail(std::move(error)); }

FetchRecord begin_record(const Target& target, WallTime now) {
  FetchRecord record;
  record.ts = now;
  record.url = target.url;
  record.depth = target.depth;
  record.via = target.via.url();
  record.tries = target.tries + 1U;
  record.is_requisite = target.is_requisite();
  record.is_leaf = target.is_leaf();
  record.is_guess = target.purpose == Purpose::guess;
  return record;
}

}  // namespace

Visitor::Visitor(World& world, const Options& options, Hooks& hooks, Frontier& frontier,
                 LinkIntake& intake, PageSink& sink, wire::CookieJar& cookies, BodyMemory& memory,
                 EngineEvents& events)
    : world_(world),
      options_(options),
      hooks_(hooks),
      frontier_(frontier),
      intake_(intake),
      sink_(sink),
      cookies_(cookies),
      events_(events),
      filter_(hooks, intake),
      requests_(world, options, hooks, cookies),
      renewal_(world, options, hooks, cookies, requests_),
      memory_(memory),
      bodies_(world, options, events),
      contents_(options),
      rendering_(world, options, hooks, cookies, sink, events),
      readings_(options, contents_, rendering_) {}

bool Visitor::is_allowed(const Claim& claim, const url::Url& url) {
  if (!claim.target.is_probe() && intake_.is_excluded_later(url)) {
    intake_.refuse(claim.target.url, intake_.fingerprint(url), SkipReason::excluded, claim.target,
                   "excluded during the crawl");
    return false;
  }
  if (!options_.obeys_robots || claim.rules() == nullptr) return true;
  const robots::Decision decision = claim.rules()->robots.decide(url.request_target());
  if (decision.allowed) return true;
  if (claim.target.is_probe()) return false;
  intake_.refuse(claim.target.url, intake_.fingerprint(url), SkipReason::robots, claim.target,
                 describe(decision));
  return false;
}

Result<void> Visitor::prepare(Fetch& fetch) {
  auto request = requests_.make(fetch.claim);
  if (!request) return fail(std::move(request).error());
  if (fetch.claim.target.tries > 0 && intake_.is_excluded_later(request->url)) {
    return fail(Errc::denied, "not retried: the URL was excluded");  // which makes a record
  }
  if (!is_allowed(fetch.claim, request->url)) {
    frontier_.skip(std::move(fetch.claim));
    return fail(Errc::denied);
  }
  const bool is_edited = hooks_.edit_request || hooks_.prepare_request;
  const bool is_plain = !is_edited && request->fields.empty() && request->method == "GET";
  if (!is_plain) {
    request->url = url::Url(request->url);  // a copy has no spare capacity
    fetch.kept = std::make_unique<http::Request>(std::move(*request));
  }
  return {};
}

async::Task<Result<http::Response>> Visitor::ask(Fetch& fetch) {
  if (fetch.claim.work != Work::page) return refusal(Errc::unsupported);
  if (auto prepared = prepare(fetch); !prepared) return refusal(std::move(prepared).error());
  return hooks_.prepare_request ? ask_prepared(fetch) : world_.client.send(fetch);
}

async::Task<Result<http::Response>> Visitor::ask_prepared(Fetch& fetch) {
  auto prepared = co_await hooks_.prepare_request(*fetch.kept);
  if (!prepared) co_return fail(std::move(prepared).error());
  co_return co_await world_.client.send(fetch);
}

async::Task<Result<void>> Visitor::take(Fetch& fetch, Result<http::Response>& response) {
  if (!fetch.claim.is_held()) return nothing();
  if (!response) return fail_visit(fetch.claim, std::move(response).error());
  if (renewal_.is_wanted(fetch, *response)) return ask_again(fetch, std::move(*response));
  return conclude(fetch, std::move(*response));
}

async::Task<Result<void>> Visitor::ask_again(Fetch& fetch, http::Response response) {
  auto answer = co_await renewal_.ask_again(fetch, std::move(response));
  if (!answer) co_return co_await fail_visit(fetch.claim, std::move(answer).error());
  co_return co_await conclude(fetch, std::move(*answer));
}

// Not a coroutine: pages are large, and every coroutine frame on their way would hold one.
async::Task<Result<void>> Visitor::hand_over(const Target& target, Page& page) {
  if (target.is_probe()) {
    drop_record(page.record);
    return nothing();
  }
  if (page.record.is_guess) {
    const auto url = url::Url::parse(target.url);
    page.record.is_guess = !url || !intake_.is_linked_guess(*url);
  }
  events_.on_record(page.record);
  return sink_.put(std::move(page));
}

void Visitor::finish(Claim& claim, const Signs& signs) {
  const std::string origin(claim.origin());
  if (frontier_.finish(std::move(claim), signs.host, signs.retry_after)) events_.on_parked(origin);
}

void Visitor::retry(Claim& claim, const Signs& signs) {
  const std::string origin(claim.origin());
  if (has_tries(claim, signs)) {
    if (!is_unsent(claim, signs)) ++claim.target.tries;
  } else {
    frontier_.probe(claim);  // the last attempt counts if the host is not down
  }
  if (claim.target.is_leaf()) claim.target.leaf = Leaf::whole;
  if (frontier_.retry(std::move(claim), signs.host, signs.retry_after)) events_.on_parked(origin);
}

bool Visitor::is_unsent(const Claim& claim, const Signs& signs) const {
  const bool is_connected = claim.step > http::ExchangeStep::connecting;
  return !is_connected && signs.host == HostSign::failed && frontier_.has_answered(claim);
}

bool Visitor::has_tries(const Claim& claim, const Signs& signs) const {
  const std::uint32_t tries_max = signs.retry_after ? kRefusedTriesMax : options_.tries_max;
  return claim.target.tries + 1U < tries_max || is_unsent(claim, signs);
}

async::Task<Result<void>> Visitor::fail_visit(Claim& claim, Error error) {
  if (error == Errc::cancelled) {
    events_.on_cut(claim.target);
    co_return fail(std::move(error));
  }
  if (error == Errc::no_resources && !frontier_.is_closed(claim)) {
    // Our failure, not the host's: there will be free descriptors later.
    static_cast<void>(frontier_.retry(std::move(claim), HostSign::none, std::nullopt));
    co_return co_await events_.on_shortage();
  }
  // The end of the crawl may have interrupted it; the next run fetches it again.
  const bool is_passing = may_pass(error.code());
  if (is_passing && frontier_.is_kept(claim)) co_return {};
  const Signs signs = {.host = sign_of(error.code(), claim.step)};
  if (is_passing && may_try_again(claim, signs) && !frontier_.is_closed(claim)) {
    retry(claim, signs);
    co_return {};
  }
  // A broken response may be this server's answer to HEAD.
  if (error == Errc::malformed && claim.target.is_leaf()) {
    const auto url = url::Url::parse(claim.target.url);
    if (url && ask_whole(claim, *url)) {
      finish(claim, {});
      co_return {};
    }
  }
  Page page = {.record = begin_record(claim.target, world_.wall(claim.started))};
  note_failure(page.record, error);
  auto put = co_await hand_over(claim.target, page);
  if (put) finish(claim, signs);
  co_return put;
}

BodyKind Visitor::note_head(const http::Response& response, const Target& target,
                            FetchRecord& record) {
  const wire::ResponseHead& head = response.head();
  record.status = head.status();
  const auto type = wire::extract_mime_type(head.find_all("Content-Type"));
  if (type) {
    record.mime = type->essence();
    record.charset = type->parameter("charset").value_or("");
  }
  if (options_.keeps_validators) {
    record.etag = head.find("ETag").value_or("");
    record.last_modified = head.find("Last-Modified").value_or("");
  }
  if (head.find("Set-Cookie")) {
    const auto url = url::Url::parse(target.url);
    cookies_.set_from_response(*url, head.find_all("Set-Cookie"), record.ts);
  }
  if (!is_success(head.status()) || target.is_leaf()) return BodyKind::opaque;
  if (target.is_sitemap()) return BodyKind::sitemap;
  return body_kind(type, {.css = options_.scope.assets || options_.asks_for_leaves,
                          .scripts = options_.mines_scripts});
}

bool Visitor::ask_whole(Claim& claim, const url::Url& url) {
  if (!requests_.uses_head(claim.target) || frontier_.is_closed(claim)) return false;
  Target facts = claim.target;
  facts.url.clear();
  facts.ticket = frontier_.follow_up(claim.target);
  facts.leaf = Leaf::whole;
  frontier_.discover_again(url, std::move(facts));
  return true;
}

bool Visitor::accepts_type(std::string_view mime) const {
  if (options_.content_types.empty() || mime.empty()) return true;
  return std::ranges::any_of(options_.content_types, [mime](std::string_view wanted) {
    return wanted.ends_with("/*") ? mime.starts_with(wanted.substr(0, wanted.size() - 1))
                                  : mime == wanted;
  });
}

void Visitor::follow_redirect(const Claim& claim, const url::Url& url,
                              const http::Response& response, FetchRecord& record) {
  auto next = http::redirect_target(url, response);
  if (!next) {
    record.error = kBadRedirect;
    record.error_detail = next.error().to_string();
    return;
  }
  if (!*next) return;
  const url::Url& target = **next;
  record.next_url = url::strip_credentials(target).without_fragment();
  const std::uint64_t fingerprint = intake_.fingerprint(target);
  const bool is_same = fingerprint == intake_.fingerprint(url);
  // A page that redirects to itself may expect the cookie that it set, or another spelling of its
  // URL. It is the same page to us, and must still be fetched.
  const bool is_second_look =
      is_same && (record.next_url != claim.target.url || response.head().find("Set-Cookie"));
  const bool is_loop =
      !is_second_look && redirect_loops_.closes(intake_.fingerprint(url), fingerprint);
  if (is_loop && !claim.target.is_probe()) {
    record.error = kRedirectLoop;
    record.error_detail = "the redirects form a loop";
    return;
  }
  if (claim.target.is_root()) intake_.widen(target);
  if (frontier_.knows(fingerprint, claim.target.depth) && !is_second_look) return;
  if (claim.target.is_probe()) return;
  if (claim.target.redirects >= options_.redirects_max) {
    record.error = kTooManyRedirects;
    record.error_detail = fmt::format("more than {} redirects", options_.redirects_max);
    return;
  }
  Target facts = claim.target;
  facts.url.clear();
  facts.via = Referrer(std::string(url.without_fragment()));
  facts.tries = 0;
  facts.fault = Fault::unknown;
  facts.ticket = 0;  // the claim has that one
  if (facts.is_leaf()) facts.leaf = Leaf::yes;
  ++facts.redirects;
  if (is_second_look) {
    facts.ticket = frontier_.follow_up(claim.target);
    return frontier_.discover_again(target, std::move(facts));
  }
  intake_.add(target, facts);
}

void Visitor::note_copies(const Claim& claim, const PageReading& reading, FetchRecord& record) {
  record.digest = reading.digest();
  record.text_digest = reading.text_digest();
  if (claim.target.is_probe()) return soft_404_.learn(claim.origin(), *record.digest);
  const auto first = duplicates_.put(*record.digest, reading.bytes(), record.url);
  if (!first) return;
  record.duplicate_of = *first;
}

// A copy that links to new pages may be the beginning of an endless site.
void Visitor::suspect(const Claim& claim, const FetchRecord& record) {
  if (!options_.detects_soft_404 || record.duplicate_of.empty() || record.links_new == 0) return;
  if (PageRendering::has_own_content(record)) return;
  if (!soft_404_.counts_copy(claim.origin(), *record.digest)) return;
  const std::string probe =
      fmt::format("{}/{:016x}{:016x}", claim.origin(), world_.random.next(), world_.random.next());
  const auto url = url::Url::parse(probe);
  Target facts;
  facts.depth = claim.target.depth;
  facts.purpose = Purpose::probe;
  if (url) frontier_.discover(*url, intake_.fingerprint(*url), facts);
}

std::optional<SkipReason> Visitor::objection(const Claim& claim, const robots::PageRules& rules,
                                             const FetchRecord& record) {
  std::optional<SkipReason> refused;
  if (options_.obeys_nofollow && rules.no_follow) refused = SkipReason::nofollow;
  if (record.digest && !PageRendering::has_own_content(record) &&
      soft_404_.is_soft_404(claim.origin(), *record.digest)) {
    refused = SkipReason::soft_404;
  }
  return refused;
}

robots::PageRules Visitor::rules_of(const http::Response& response,
                                    const PageReading& reading) const {
  robots::PageRules rules = reading.rules();
  response.head().for_each(
      "X-Robots-Tag", [&](std::string_view value) { rules.add_header(value, options_.agent); });
  return rules;
}

async::Task<void> Visitor::follow_links(const Claim& claim, const url::Url& url,
                                        const http::Response& response, const PageReading& reading,
                                        FetchRecord& record) {
  const auto refused = objection(claim, rules_of(response, reading), record);
  PageLinks links(intake_, reading, url, claim.target, refused);
  if (filter_.is_on() && !co_await filter_.judge(links)) co_return;
  while (!links.add_some() && co_await async::yield_now()) frontier_.store_links();
  record.links_found = links.counts().found;
  record.links_new = links.counts().fresh;
}

async::Task<Result<void>> Visitor::take_links(const url::Url& url, const PageReading& reading,
                                              Page& page, BodyMemory::Share& memory) {
  const bool keeps_outlinks = options_.keeps_outlinks && page.capture;
  auto room =
      co_await memory.hold(bytes_after_body(reading, page, keeps_outlinks, options_.keeps_links));
  if (room && keeps_outlinks) {
    page.capture->outlinks = co_await outlinks_of(reading, url, options_.scope.url_bytes_max);
  }
  const bool is_read = reading.kind() != BodyKind::opaque && accepts_type(page.record.mime);
  if (room && options_.keeps_links && is_read) {
    page.record.links = co_await links_of(reading, url, options_.scope.url_bytes_max);
  }
  co_return room;
}

async::Task<Result<void>> Visitor::render(PageRendering::Page page, PageRendering::Plan plan,
                                          std::unique_ptr<PageReading>& reading,
                                          FetchRecord& record) {
  auto rendered = readings_.borrow();
  const auto is_rendered = co_await rendering_.render(page, plan, *rendered, record);
  if (is_rendered && *is_rendered) std::swap(reading, rendered);
  readings_.give_back(std::move(rendered));
  if (!is_rendered) co_return fail(is_rendered.error().copy());
  if (!*is_rendered) co_return {};
  record.title = reading->title();
  record.robots = robots::to_text(rules_of(page.response, *reading));
  if (options_.keeps_links) {
    record.links = co_await links_of(*reading, page.url, options_.scope.url_bytes_max);
  }
  co_return {};
}

async::Task<Result<Visitor::Signs>> Visitor::absorb(Claim& claim, const http::Request& request,
                                                    http::Response response, Page& page,
                                                    BodyMemory::Share& memory) {
  FetchRecord& record = page.record;
  const BodyKind kind = note_head(response, claim.target, record);
  if (hooks_.see_response) hooks_.see_response(request.url, response);
  Signs signs = signs_of(response.head(), claim.target.fault, record.ts);
  if (options_.keeps_heads) page.record.head = response.head().raw();
  if (options_.keeps_captures) page.capture = std::make_unique<Capture>(begin_capture(response));
  if (!memory.try_hold(sizeof(PageReading))) {
    response.hold();
    auto room = co_await memory.hold(sizeof(PageReading));
    if (!room) co_return fail(std::move(room).error());
  }
  auto reading = readings_.borrow();
  reading->begin(kind, record.charset, options_.agent);
  reading->begin_series(intake_.series_key(claim.target));
  const bool is_leaf = claim.target.is_leaf();
  const bool is_read = accepts_type(record.mime) && (!is_leaf || options_.reads_leaves);
  std::optional<Errc> trouble;
  // Its body is empty, so the connection is free immediately.
  if (requests_.uses_head(claim.target)) static_cast<void>(co_await response.next());
  if (is_read) {
    auto read = co_await bodies_.read(claim, response, {*reading, page, memory});
    // Also if the crawl was cancelled meanwhile.
    record.wire_bytes = response.facts().bytes_received;
    if (!read) co_return fail(std::move(read).error());
    trouble = *read;
  }
  if (page.capture) page.capture->cut = cut_of(*page.capture, response, trouble);
  claim.took = async::Loop::current().now() - claim.started - response.held();
  claim.step = http::ExchangeStep::over;
  response.hold();
  auto room = co_await take_links(request.url, *reading, page, memory);
  if (!room) co_return fail(std::move(room).error());
  record.facts = response.facts();
  record.bytes = reading->bytes();
  record.wire_bytes = record.facts.bytes_received;
  // The body was counted piece by piece.
  const std::uint64_t read = is_read ? response.body_bytes() : 0;
  events_.on_received(record.wire_bytes - std::min(record.wire_bytes, read));
  // A damaged or too large body will not change on a retry.
  const bool is_cut = trouble && may_pass(*trouble);
  if (is_cut && signs.host == HostSign::answered) signs.host = sign_of(*trouble);

  if (asks_again(claim, signs) == Again::never && !async::cancel_requested()) {
    if (reading->encoding()) record.charset = reading->charset();
    record.title = reading->title();
    record.robots = robots::to_text(rules_of(response, *reading));
    if (!is_read && is_success(response.status()) && !is_leaf) record.error = kUnwantedType;
    if (is_success(response.status()) && is_read && !is_leaf) {
      note_copies(claim, *reading, record);
      if (!claim.target.is_probe()) {
        const PageRendering::Page shown = {claim, request.url, response, *reading, memory};
        const auto plan = rendering_.plan(shown, record);
        auto rendered = plan ? co_await render(shown, *plan, reading, record) : Result<void>();
        if (!rendered) co_return fail(std::move(rendered).error());
        co_await follow_links(claim, request.url, response, *reading, record);
      }
      suspect(claim, record);
      if (contents_.is_wanted()) co_await contents_.read(request.url, *reading, record);
    }
    const bool is_judged =
        !filter_.is_on() || co_await filter_.judge_redirect(claim.target, request.url, response);
    if (is_judged) follow_redirect(claim, request.url, response, record);
  }
  readings_.give_back(std::move(reading));
  static_cast<void>(memory.try_hold(std::min<std::uint64_t>(memory.bytes(), page.bytes())));
  co_return signs;
}

Visitor::Again Visitor::asks_again(const Claim& claim, const Signs& signs) const {
  const bool is_closed = frontier_.is_closed(claim);
  if (is_closed && !frontier_.is_kept(claim)) return Again::never;
  if (!may_try_again(claim, signs)) return Again::never;
  return is_closed ? Again::next_time : Again::soon;
}

bool Visitor::may_try_again(const Claim& claim, const Signs& signs) const {
  // No retry is possible, so the response goes into the record.
  if (signs.retry_after && *signs.retry_after > options_.politeness.wait_max) return false;
  if (signs.host != HostSign::failed && !is_refusal(signs.host)) return false;
  if (has_tries(claim, signs)) return true;
  return signs.host == HostSign::failed && frontier_.may_be_down(claim);
}

async::Task<Result<void>> Visitor::conclude(Fetch& fetch, http::Response response) {
  Claim& claim = fetch.claim;
  http::Request room;
  const http::Request& request = fetch.request(room);
  BodyMemory::Share memory(memory_);
  Page page = {.record = begin_record(claim.target, world_.wall(claim.started))};
  const auto absorbed = co_await absorb(claim, request, std::move(response), page, memory);
  if (async::cancel_requested()) {
    drop_record(page.record);
    co_return co_await fail_visit(claim, Errc::cancelled);
  }
  if (!absorbed) {
    // Descriptors may be free later. Everything else is a failure of the sink.
    if (absorbed.error() == Errc::no_resources) {
      co_return co_await fail_visit(claim, absorbed.error().copy());
    }
    co_return fail(absorbed.error().copy());
  }
  const Signs signs = *absorbed;
  const Again again = asks_again(claim, signs);
  if (again != Again::never) drop_record(page.record);
  if (again == Again::soon) retry(claim, signs);
  if (again != Again::never) co_return {};
  const bool is_refused = page.record.status.value_or(0) >= 400;
  if (is_refused && claim.target.is_leaf() && ask_whole(claim, request.url)) {
    drop_record(page.record);
    finish(claim, signs);
    co_return {};
  }
  auto put = co_await hand_over(claim.target, page);
  if (put) finish(claim, signs);
  co_return put;
}

}  // namespace gossamer::crawler
