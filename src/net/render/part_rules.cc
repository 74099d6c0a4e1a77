#include "render/part_rules.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "url/url.h"

namespace gossamer::render {
namespace {

constexpr std::array kUnwantedKinds = {
    std::string_view("Media"),     std::string_view("EventSource"),
    std::string_view("Ping"),      std::string_view("CSPViolationReport"),
    std::string_view("Prefetch"),  std::string_view("Manifest"),
    std::string_view("TextTrack"), std::string_view("WebSocket")};

constexpr std::array kClientFields = {
    std::string_view("Host"),           std::string_view("Connection"),
    std::string_view("User-Agent"),     std::string_view("Accept-Encoding"),
    std::string_view("Content-Length"), std::string_view("Upgrade-Insecure-Requests")};

// They describe the bytes of a transfer, or bind the browser beyond this page.
constexpr std::array kTransferFields = {
    std::string_view("Content-Encoding"),  std::string_view("Content-Length"),
    std::string_view("Transfer-Encoding"), std::string_view("Connection"),
    std::string_view("Alt-Svc"),           std::string_view("Strict-Transport-Security")};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(
      names, [&](std::string_view each) { return base::equals_ignoring_case(each, name); });
}

// The browser gives them the kind of other scripts' requests.
bool is_event_stream(const PausedRequest& paused) {
  return std::ranges::any_of(paused.fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "Accept") && field.value == "text/event-stream";
  });
}

}  // namespace

bool is_wanted_part(const PausedRequest& paused, const WantedParts& wanted) {
  if (paused.kind == "Image") return wanted.images;
  if (paused.kind == "Font") return wanted.fonts;
  return !is_one_of(paused.kind, kUnwantedKinds) && !is_event_stream(paused);
}

Result<http::Request> request_of(PausedRequest paused) {
  auto url = url::Url::parse(paused.url);
  if (!url) return fail(std::move(url).error());
  if (!url->is_http_or_https()) return fail(Errc::unsupported, "not a request of HTTP");
  http::Request request = {.method = std::move(paused.method), .url = std::move(*url)};
  for (http::Field& field : paused.fields) {
    const bool is_ours = is_one_of(field.name, kClientFields) ||
                         base::equals_ignoring_case(field.name.substr(0, 4), "sec-");
    if (!is_ours) request.fields.push_back(std::move(field));
  }
  request.body = std::move(paused.body);
  return request;
}

std::vector<http::Field> part_fields(const std::vector<http::Field>& fields) {
  std::vector<http::Field> kept;
  for (const http::Field& field : fields) {
    if (!is_one_of(field.name, kTransferFields)) kept.push_back(field);
  }
  return kept;
}

std::vector<http::Field> document_fields(const std::vector<http::Field>& fields) {
  std::vector<http::Field> kept = part_fields(fields);
  std::erase_if(kept, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "Content-Disposition");
  });
  return kept;
}

}  // namespace gossamer::render
