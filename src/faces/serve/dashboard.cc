#include "serve/dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/json_value.h"
#include "base/version.h"
#include "captures/work_limit.h"
#include "serve/api.h"
#include "serve/api_parameters.h"
#include "serve/crawl_form.h"
#include "serve/range.h"
#include "serve/static_files.h"
#include "server/host_check.h"
#include "server/metrics.h"
#include "wire/content_type.h"

namespace gossamer::serve {
namespace {

constexpr std::string_view kApi = "/api/v1/";
constexpr std::string_view kPolicy = "Content-Security-Policy";

std::string_view why_not_answered(const Error& error) {
  return error == Errc::timed_out ? "the server is busy; try again later"
                                  : "the server is stopping";
}

// The requests that read archives. They run on other threads.
struct Sources {
  const captures::Collection& collection;
  Search& search;
  captures::PartsFrom parts_from;
};
struct Route {
  std::string_view name;
  server::Response (*answer)(const Sources&, const server::Request&, const captures::WorkLimit&);
};
template <server::Response (*kAnswer)(const captures::Collection&, const server::Request&,
                                      const captures::WorkLimit&)>
server::Response of_archives(const Sources& sources, const server::Request& request,
                             const captures::WorkLimit& limit) {
  return kAnswer(sources.collection, request, limit);
}
server::Response of_captures(const Sources& sources, const server::Request& request,
                             const captures::WorkLimit&) {
  return answer_captures(sources.collection, request);
}
server::Response of_missing(const Sources& sources, const server::Request& request,
                            const captures::WorkLimit& limit) {
  return answer_missing(sources.collection, request, sources.parts_from, limit);
}
template <server::Response (Search::*kAnswer)(const server::Request&)>
server::Response of_search(const Sources& sources, const server::Request& request,
                           const captures::WorkLimit&) {
  return (sources.search.*kAnswer)(request);
}
constexpr auto kRoutes = std::to_array<Route>({
    {"search", of_search<&Search::answer_search>},
    {"facets", of_search<&Search::answer_facets>},
    {"captures", of_captures},
    {"pages", of_archives<answer_pages>},
    {"report", of_archives<answer_report>},
    {"sitemap", of_archives<answer_site_map>},
    {"missing", of_missing},
});

// The time limits of the API and of one replayed answer.
constexpr Duration kQueryTime = 20s;
constexpr Duration kReplayTime = 60s;

void add_absent(server::Response& response, std::string_view name, std::string_view value) {
  if (response.find(name).empty()) response.fields.emplace_back(name, value);
}

server::Response not_allowed(std::string_view allowed) {
  return server::error_response(405, "this method is not allowed here")
      .with("Allow", std::string(allowed));
}

bool is_reading(const server::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

bool is_json(const server::Request& request) {
  const auto type = wire::MimeType::parse(request.find("Content-Type").value_or(""));
  return type && type->essence() == "application/json";
}

void add_archives(server::Metrics& metrics, const captures::Collection& collection) {
  collection.read([&metrics](const auto& archives, const auto&) {
    for (const captures::ServedArchive& archive : archives) {
      metrics.add(server::Metrics::Kind::gauge, "gossamer_archive_captures",
                  "Captures of an archive.", archive.captures, {"archive", archive.name});
    }
    return 0;
  });
}

bool is_redirect(const Replayed& replayed) { return replayed.response.status == 302; }

bool is_page_or_frame(std::string_view use) {
  return use == "document" || use == "iframe" || use == "frame";
}

// True if the browser shows it as a document of its own.
bool is_opened(const server::Request& request) {
  const std::string_view use = request.find("Sec-Fetch-Dest").value_or("");
  return is_page_or_frame(use) || use == "object" || use == "embed";
}

// True if it is the page that a frame of the dashboard shows.
bool fills_view(const server::Request& request, const ReplayAddress& address,
                const Replayed& replayed) {
  const auto use = request.find("Sec-Fetch-Dest");
  const bool is_shown = use ? is_page_or_frame(*use) : replayed.is_document;
  return is_shown && !is_redirect(replayed) && address.form == ReplayAddress::Form::page;
}

}  // namespace

std::string Dashboard::replay_origin(std::string_view name) const {
  return server::origin_of(name, facts_.addresses.replay_port);
}

async::Task<server::Response> Dashboard::answer(const server::Request& request) {
  server::Admission admission =
      server::admit_host(request, facts_.addresses.names, facts_.addresses.dashboard_port);
  if (admission.name.empty()) co_return std::move(admission.rejection);
  const bool needs_token = request.path().starts_with("/api/") || request.path() == "/metrics";
  server::Response response =
      needs_token ? co_await answer_api(request, admission.name) : answer_static(request);
  response.fields.emplace_back(kPolicy, dashboard_policy(replay_origin(admission.name)));
  co_return response;
}

bool Dashboard::is_slow(const server::Request& request) const {
  // An action that has begun is completed.
  return request.path().starts_with(kApi) && request.method != "POST";
}

void Dashboard::seal(server::Response& response) {
  add_absent(response, kPolicy, "default-src 'none'; frame-ancestors 'none'");
  add_absent(response, "Cache-Control", "no-store");
  add_absent(response, "Referrer-Policy", "no-referrer");
  add_absent(response, "X-Content-Type-Options", "nosniff");
  add_absent(response, "Cross-Origin-Resource-Policy", "same-origin");
  add_absent(response, "Cross-Origin-Opener-Policy", "same-origin");
}

server::Response Dashboard::answer_static(const server::Request& request) const {
  const base::EmbeddedFile* const file = find_static_file(request.path());
  if (file == nullptr) return server::plain_response(404, "there is no such page");
  if (!is_reading(request)) return not_allowed("GET, HEAD");
  const std::string etag = etag_of(*file);
  server::Response response = {.type = std::string(serve::type_of(*file)),
                               .fields = {{"ETag", etag}, {"Cache-Control", "no-cache"}}};
  if (request.find("If-None-Match") == etag) {
    response.status = 304;
    return response;
  }
  response.body = file->bytes;
  return response;
}

async::Task<server::Response> Dashboard::answer_api(const server::Request& request,
                                                    std::string_view name) {
  const std::string origin = server::origin_of(name, facts_.addresses.dashboard_port);
  // Browsers send OPTIONS to learn whether another origin may send a request. None may.
  if (request.method == "OPTIONS") co_return not_allowed("GET, HEAD, POST");
  if (auto rejection = reject_api_request(request, origin, facts_.token)) {
    co_return std::move(*rejection);
  }
  const std::string_view path = request.path();
  const std::string_view what =
      path.starts_with(kApi) ? path.substr(kApi.size()) : std::string_view();
  if (what == "live/act" || what == "live/new") {
    if (request.method != "POST") co_return not_allowed("POST");
    if (!is_json(request)) {
      co_return server::error_response(415, "Content-Type must be application/json");
    }
    co_return what == "live/new" ? co_await new_crawls_.start(request) : co_await act(request);
  }
  if (!is_reading(request)) co_return not_allowed("GET, HEAD");
  if (path == "/metrics") co_return answer_metrics();
  if (what == "archives") co_return co_await answer_archives(name);
  if (what == "view") co_return answer_view(request);
  if (what == "live") co_return answer_live();
  if (what == "live/form") co_return server::json_response(200, crawl_form_json());
  if (what == "live/events") co_return answer_events(request);
  const auto route = std::ranges::find(kRoutes, what, &Route::name);
  if (route == kRoutes.end()) co_return server::error_response(404, "the API has no such request");
  const Sources sources = {
      collection_, search_,
      facts_.allows_scripts ? captures::PartsFrom::own_crawl : captures::PartsFrom::all_crawls};
  auto answer = co_await captures::run_limited<server::Response>(
      threads_, kQueryTime,
      [&](const captures::WorkLimit& limit) { return route->answer(sources, request, limit); });
  if (!answer) co_return server::error_response(503, why_not_answered(answer.error()));
  co_return std::move(*answer);
}

async::Task<server::Response> Dashboard::answer_archives(std::string_view name) const {
  std::map<std::uint32_t, std::size_t> crawls;
  for (std::size_t i = 0; i < crawls_.size(); ++i) {
    if (crawls_[i]->archive()) crawls.emplace(*crawls_[i]->archive(), i);
  }
  const auto archives =
      co_await threads_.run([&] { return archives_json(collection_, search_, crawls); });
  if (!archives) co_return server::error_response(503, "the server is stopping");
  co_return server::json_response(
      200, base::JsonLine()
               .text("version", base::kVersion)
               .text("replay", fmt::format("{}/r/{}", replay_origin(name), facts_.replay_token))
               .boolean("scripts", facts_.allows_scripts)
               .raw("archives", *archives)
               .finish());
}

server::Response Dashboard::answer_view(const server::Request& request) const {
  ApiParameters parameters(request);
  const std::string id = parameters.text("id");
  if (parameters.is_bad()) return parameters.rejection();
  const ViewState* const state = views_.find(id);
  if (state == nullptr) return server::error_response(404, "this view has shown no page yet");
  return server::json_response(200, view_json(*state));
}

server::Response Dashboard::answer_live() const {
  JsonArray array;
  for (std::size_t i = 0; i < crawls_.size(); ++i) {
    base::JsonLine line;
    line.number("crawl", i).text("name", crawls_[i]->name());
    line.text("kind", crawls_[i]->kind());
    if (crawls_[i]->archive()) {
      line.number("archive", *crawls_[i]->archive());
    } else {
      line.null("archive");
    }
    array.add(line.text("state", crawls_[i]->state()).finish());
  }
  return server::json_response(
      200,
      base::JsonLine().boolean("new", new_crawls_.is_on()).raw("crawls", array.finish()).finish());
}

server::Response Dashboard::answer_events(const server::Request& request) {
  ApiParameters parameters(request);
  const std::uint64_t crawl = parameters.number("crawl", 0, UINT32_MAX);
  if (parameters.is_bad()) return parameters.rejection();
  if (crawl >= crawls_.size()) return server::error_response(404, "there is no such crawl");
  if (streams_ >= kStreamsMax)
    return server::error_response(503, "too many streams of events are open");
  server::Response response = {.type = "text/event-stream; charset=utf-8",
                               .fields = {{"Cache-Control", "no-store"}}};
  if (request.method != "HEAD") response.stream = live_events(*crawls_[crawl], crawl, streams_);
  return response;
}

async::Task<server::Response> Dashboard::act(const server::Request& request) {
  const auto body = base::parse_json(request.body);
  if (!body) co_return server::error_response(400, "the body is not JSON");
  const base::JsonValue* const number = body->find("crawl");
  const auto crawl = number == nullptr ? std::optional<std::uint64_t>(0) : number->as_number();
  if (!crawl || *crawl >= crawls_.size())
    co_return server::error_response(404, "there is no such crawl");
  co_return co_await crawls_[*crawl]->act(request.body, facts_.now());
}

server::Response Dashboard::answer_metrics() const {
  server::Metrics metrics;
  for (const server::HttpServer* server : measured_) add_server(metrics, *server);
  add_archives(metrics, collection_);
  for (const auto& crawl : crawls_) crawl->add_to(metrics);
  return metrics.response();
}

std::string ReplayResponder::policy(std::string_view name,
                                    const std::optional<ReplayAddress>& address) const {
  const bool is_inner = address && address->form == ReplayAddress::Form::frame;
  return replay_policy(server::origin_of(name, facts_.addresses.dashboard_port),
                       server::origin_of(name, facts_.addresses.replay_port),
                       address && address->runs_scripts, is_inner);
}

async::Task<server::Response> ReplayResponder::answer(const server::Request& request) {
  server::Admission admission =
      server::admit_host(request, facts_.addresses.names, facts_.addresses.replay_port);
  if (admission.name.empty()) co_return std::move(admission.rejection);
  auto parsed = parse_replay_address(request.target);
  std::optional<ReplayAddress> address;
  if (parsed) {
    address = std::move(*parsed);
    address->runs_scripts = facts_.allows_scripts && address->view.empty();
  }
  server::Response response;
  if (!is_reading(request)) {
    response =
        server::plain_response(405, "this method is not allowed here").with("Allow", "GET, HEAD");
  } else if (!address) {
    response = server::plain_response(404, "this is not the address of an archived page");
  } else {
    response = co_await answer_valid(request, *address);
  }
  response.fields.emplace_back(kPolicy, policy(admission.name, address));
  co_return response;
}

async::Task<server::Response> ReplayResponder::answer_valid(const server::Request& request,
                                                            ReplayAddress& address) {
  address.crawl = crawl_with_token(address.token);
  if (address.crawl) co_return co_await answer_page(request, address);
  if (!equals_in_constant_time(address.token, facts_.replay_token)) {
    co_return server::plain_response(403,
                                     "this address is not valid; open the page from the dashboard");
  }
  if (facts_.allows_scripts) co_return co_await lead_to_crawl(address);
  co_return co_await answer_page(request, address);
}

std::optional<std::uint32_t> ReplayResponder::crawl_with_token(std::string_view token) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < crawl_tokens_.size(); ++i) {
    if (equals_in_constant_time(token, crawl_tokens_[i])) found = i;
  }
  return found;
}

async::Task<server::Response> ReplayResponder::lead_to_crawl(const ReplayAddress& address) {
  const auto crawl = co_await captures::run_limited<std::optional<std::uint32_t>>(
      threads_, kReplayTime,
      [&](const captures::WorkLimit&) { return crawl_of(collection_, address); });
  if (!crawl) co_return server::plain_response(503, why_not_answered(crawl.error()));
  // A page that is in no archive is our own, and the first crawl can say so.
  const std::uint32_t number = crawl->value_or(0);
  while (crawl_tokens_.size() <= number) crawl_tokens_.push_back(facts_.make_token());
  ReplayAddress own = address;
  own.token = crawl_tokens_[number];
  server::Response response = server::plain_response(302, "redirect");
  response.fields = {{"Location", own.address_of(address.url, address.form)},
                     {"Cache-Control", "no-store"}};
  co_return response;
}

async::Task<server::Response> ReplayResponder::answer_page(const server::Request& request,
                                                           const ReplayAddress& address) {
  // All work on the body is done there, since it may be large.
  auto replayed = co_await captures::run_limited<Replayed>(
      threads_, kReplayTime, [&](const captures::WorkLimit& limit) {
        Replayed found = replay(collection_, address, limit);
        if (found.is_svg && is_opened(request)) found.response.type = "text/plain; charset=utf-8";
        if (!fills_view(request, address, found)) select_range(request, found.response);
        return found;
      });
  if (!replayed) co_return server::plain_response(503, why_not_answered(replayed.error()));
  if (address.form != ReplayAddress::Form::raw && !is_redirect(*replayed)) {
    views_.note(address, *replayed, fills_view(request, address, *replayed));
  }
  co_return std::move(replayed->response);
}

void ReplayResponder::seal(server::Response& response) {
  add_absent(response, kPolicy, policy(facts_.addresses.names.front(), std::nullopt));
  add_absent(response, "Cache-Control", "no-store");
  // The pages have an opaque origin. Fonts and modules of theirs need this.
  add_absent(response, "Access-Control-Allow-Origin", "null");
  add_absent(response, "Referrer-Policy", "no-referrer");
  add_absent(response, "X-Content-Type-Options", "nosniff");
  add_absent(response, "X-DNS-Prefetch-Control", "off");
}

}  // namespace gossamer::serve
