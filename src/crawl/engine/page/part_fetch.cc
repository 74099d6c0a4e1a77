#include "engine/page/part_fetch.h"

#include <optional>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "engine/page/capturing.h"
#include "http/body.h"
#include "wire/whole_decoder.h"

namespace gossamer::crawler {
namespace {

std::string_view name_of_cookie(std::string_view pair) { return pair.substr(0, pair.find('=')); }

// Calls `use` with each NAME=VALUE of a Cookie field.
template <class Use>
void for_each_cookie(std::string_view field, Use use) {
  constexpr std::string_view kBetween = "; ";
  while (!field.empty()) {
    const std::size_t end = field.find(kBetween);
    use(field.substr(0, end));
    field.remove_prefix(end == std::string_view::npos ? field.size() : end + kBetween.size());
  }
}

void add_missing_cookies(std::string& field, std::string_view others) {
  std::unordered_set<std::string> names;
  for_each_cookie(field, [&](std::string_view pair) { names.emplace(name_of_cookie(pair)); });
  for_each_cookie(others, [&](std::string_view pair) {
    if (names.emplace(name_of_cookie(pair)).second) field.append("; ").append(pair);
  });
}

}  // namespace

std::vector<http::Field> fields_of(const wire::ResponseHead& head) {
  std::vector<http::Field> fields;
  for (std::size_t i = 0; i < head.size(); ++i) {
    fields.push_back({std::string(head[i].name), std::string(head[i].value)});
  }
  return fields;
}

void add_cookies(http::Request& request, const url::Url& page, wire::CookieJar& cookies,
                 WallTime now) {
  const auto context = request.url.hostname() == page.hostname() ? wire::CookieContext::same_site
                                                                 : wire::CookieContext::cross_site;
  const std::string ours = cookies.header_for(request.url, now, context);
  if (ours.empty()) return;
  for (http::Field& field : request.fields) {
    if (!base::equals_ignoring_case(field.name, "Cookie")) continue;
    return add_missing_cookies(field.value, ours);
  }
  request.fields.push_back({"Cookie", ours});
}

bool may_request(const http::Client& client, const url::Url& page, const url::Url& part) {
  if (part.hostname() == page.hostname() && part.effective_port() == page.effective_port())
    return true;
  return !client.guard().trusts_typed(part.hostname());
}

async::Task<FetchedPart> fetch_part(PartFetching how, http::Request& request) {
  auto first = co_await how.client.send(request);
  if (!first) co_return FetchedPart{.answer = fail(std::move(first).error())};
  std::optional<http::Response> response(std::move(*first));
  const bool is_asked =
      response->status() == 401 && how.answer_challenge != nullptr && *how.answer_challenge;
  if (is_asked && (*how.answer_challenge)(request, response->head())) {
    response.reset();  // frees its connection
    auto second = co_await how.client.send(request);
    if (!second) co_return FetchedPart{.answer = fail(std::move(second).error())};
    response.emplace(std::move(*second));
  }
  how.cookies.set_from_response(request.url, response->head().find_all("Set-Cookie"), how.now);
  std::optional<Capture> capture;
  if (how.captures) capture.emplace(begin_capture(*response));
  wire::WholeDecoder decoder;
  http::WholeBody body = co_await http::read_whole(*response, decoder, {.bytes_max = kPartBytesMax},
                                                   capture ? &capture->payload : nullptr);
  FetchedPart part = {.answer = fail(Errc::internal),
                      .wire_bytes = response->facts().bytes_received};
  if (capture) {
    const auto trouble = body.trouble ? std::optional(body.trouble->code()) : std::nullopt;
    capture->cut = cut_of(*capture, *response, trouble);
    part.exchange = Exchange{.url = std::string(request.url.without_fragment()),
                             .ts = how.now,
                             .facts = response->facts(),
                             .capture = std::move(*capture)};
  }
  if (body.trouble) {
    part.answer = fail(std::move(*body.trouble));
  } else {
    part.answer = render::PartAnswer{.status = response->status(),
                                     .fields = fields_of(response->head()),
                                     .body = std::move(body.bytes)};
  }
  co_return part;
}

}  // namespace gossamer::crawler
