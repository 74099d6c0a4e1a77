#include "serve/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "base/escape.h"
#include "html/encoding/encoding.h"
#include "mirror/rewrite.h"
#include "url/url.h"
#include "warc/record.h"
#include "wire/content_type.h"
#include "wire/text.h"

namespace gossamer::serve {
namespace {

constexpr std::string_view kPrefix = "/r/";
constexpr std::string_view kSvg = "image/svg+xml";
constexpr std::string_view kLatest = "latest";
constexpr std::size_t kViewBytesMax = 16;
// BOUND: larger documents are replayed with their links as they are, as text.
constexpr std::size_t kRewrittenBytesMax = std::size_t{64} * 1024 * 1024;

// Rewriting takes as much memory as the document, so one large document at a time is rewritten.
std::mutex& large_documents() {
  static std::mutex mutex;
  return mutex;
}

void set_body(server::Response& response, captures::AnswerBody body) {
  if (body.file() != nullptr) {
    response.mapped = {.owner = body.file(), .bytes = body.text(), .hash = body.hash()};
  } else {
    response.body = std::move(body).take_memory();
  }
}

// Moves a large text to a file.
void set_body(server::Response& response, std::string text) {
  captures::AnswerBody body;
  const bool is_large = text.size() > captures::AnswerBody::kBytesInMemory;
  if (is_large && body.append(text) && body.finish()) return set_body(response, std::move(body));
  response.body = std::move(text);
}

std::string_view suffix_of(ReplayAddress::Form form) {
  switch (form) {
    case ReplayAddress::Form::page: return "";
    case ReplayAddress::Form::frame: return "if_";
    case ReplayAddress::Form::raw: return "id_";
  }
  return "";
}

bool is_letters_and_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return base::is_letter(c) || base::is_digit(c); });
}

// All links lead to the archive, whether it has the target or not.
class ReplayTargets final : public mirror::LinkTargets {
 public:
  explicit ReplayTargets(const ReplayAddress& address) : address_(address) {}
  mirror::NewLink link_to(const url::Url& url, bool is_frame) const override {
    const auto form = is_frame ? ReplayAddress::Form::frame : address_.form;
    return {.text = address_.address_of(url.href(), form), .is_local = true};
  }
  bool is_strict() const override { return true; }

 private:
  const ReplayAddress& address_;
};

std::string page_of(std::string_view title, std::string_view text, std::string_view url) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>{0}</title>\n"
      "<style>body{{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:36em;"
      "padding:0 1em;color:#222;background:#fff}}code{{overflow-wrap:anywhere}}"
      "@media(prefers-color-scheme:dark){{body{{color:#ddd;background:#181818}}}}</style>\n"
      "<h1>{0}</h1>\n<p>{1}</p>\n<p><code>{2}</code></p>\n</html>\n",
      title, base::escape_html(text), base::escape_html(url));
}

Replayed told(int status, std::string_view title, std::string_view text, std::string_view url) {
  return {.response = {.status = status,
                       .type = "text/html; charset=utf-8",
                       .body = page_of(title, text, url),
                       .fields = {{"Cache-Control", "no-store"}}},
          .is_document = true,
          .url = std::string(url)};
}

Replayed not_archived(std::string_view url) {
  return told(404, "Not in the archive",
              "This address was not archived. Gossamer never fetches it from the live web.", url);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// The address that a redirect leads to; nothing if it is none.
std::optional<std::string> redirect_target(const captures::ArchivedAnswer& answer,
                                           const std::string& url) {
  if (!answer.http || !is_redirect(answer.status())) return {};
  const auto location = answer.http->fields.find("Location");
  const auto base = url::Url::parse(url);
  if (!location || !base) return {};
  const auto target = base->resolve(*location);
  if (!target || !target->is_http_or_https()) return {};
  return target->href();
}

std::optional<wire::MimeType> type_of(const warc::Answer& answer) {
  return wire::MimeType::parse(answer.type());
}

std::optional<html::Encoding> encoding_of(const std::optional<wire::MimeType>& type) {
  const auto label = type ? type->parameter("charset") : std::nullopt;
  return label ? html::encoding_from_label(*label) : std::nullopt;
}

// The kinds of documents whose links are rewritten.
enum class Rewriting : std::uint8_t { none, html, css };

Rewriting rewriting_for(const std::optional<wire::MimeType>& type, std::string_view body) {
  if (!type) {
    // A page without a type was shown as one.
    const std::string start = base::lower_case(body.substr(0, 512));
    const bool is_page = start.contains("<!doctype html") || start.contains("<html");
    return is_page ? Rewriting::html : Rewriting::none;
  }
  const std::string_view essence = type->essence();
  if (type->is_html() || essence == "application/xhtml+xml" || essence == kSvg) {
    return Rewriting::html;
  }
  return essence == "text/css" ? Rewriting::css : Rewriting::none;
}

// XML is UTF-8 unless it says otherwise; HTML without a declaration is not.
std::optional<html::Encoding> known_encoding(const std::optional<wire::MimeType>& type) {
  const auto encoding = encoding_of(type);
  if (encoding || !type || !type->is_xml()) return encoding;
  return html::Encoding::utf_8;
}

// The types that are sent as they are. Browsers show others as documents with links and styles of
// their own, or may do so in the future.
bool is_plain_part(const wire::MimeType& type) {
  if (type.is_xml()) return false;
  const std::string_view essence = type.essence();
  return type.type() == "image" || type.type() == "font" || type.type() == "audio" ||
         type.type() == "video" || type.is_json() || type.is_javascript() ||
         essence == "text/plain" || essence == "application/pdf" || essence == "text/vtt" ||
         essence == "application/wasm" || type.subtype().contains("font");
}

// The type of an answer whose links are not rewritten.
std::string type_as_is(const std::optional<wire::MimeType>& type) {
  if (!type) return "application/octet-stream";
  const bool is_text = type->type() == "text" || type->is_xml();
  if (!is_plain_part(*type)) {
    return is_text ? "text/plain; charset=utf-8" : "application/octet-stream";
  }
  std::string text = type->to_string();
  if (!wire::is_field_text(text)) return "application/octet-stream";
  if (is_text && !type->parameter("charset")) text += ";charset=utf-8";
  return text;
}

server::Response rewritten(captures::ArchivedAnswer& answer, const ReplayAddress& address,
                           const std::string& url) {
  const auto type = type_of(answer);
  const Rewriting rewriting = rewriting_for(type, answer.body.text());
  const auto base = url::Url::parse(url);
  const bool is_html = rewriting == Rewriting::html;
  server::Response response;
  response.fields.emplace_back("Cache-Control", is_html ? "no-store" : "private, max-age=3600");
  if (rewriting == Rewriting::none || !base || answer.body.text().size() > kRewrittenBytesMax) {
    response.type = rewriting == Rewriting::none ? type_as_is(type) : "text/plain; charset=utf-8";
    set_body(response, std::move(answer.body));
    return response;
  }
  const ReplayTargets targets(address);
  const mirror::Document document = {.url = *base, .encoding = known_encoding(type)};
  const bool is_svg = type && type->essence() == kSvg;
  if (is_svg) response.fields.emplace_back("Content-Disposition", "attachment");
  // XHTML as XML could have tags that look different from those that were rewritten.
  response.type = is_svg ? kSvg : is_html ? "text/html" : "text/css";
  response.type += "; charset=utf-8";
  std::unique_lock<std::mutex> turn;
  if (answer.body.file() != nullptr) turn = std::unique_lock(large_documents());
  const std::string_view body = answer.body.text();
  set_body(response, is_html ? mirror::rewrite_html(body, document, targets)
                             : mirror::rewrite_css(body, document, targets));
  return response;
}

server::Response raw(captures::ArchivedAnswer& answer) {
  const auto type = type_of(answer);
  const bool is_text =
      !type || type->type() == "text" || type->is_json() || type->is_xml() || type->is_javascript();
  server::Response response = {.type = "text/plain; charset=utf-8"};
  set_body(response, std::move(answer.body));
  const auto label = encoding_of(type);
  if (label) response.type = fmt::format("text/plain; charset={}", html::name(*label));
  if (!is_text) {
    response.type = "application/octet-stream";
    response.fields.emplace_back("Content-Disposition", "attachment");
  }
  response.fields.emplace_back("Cache-Control", "no-store");
  return response;
}

Replayed failed(const Error& error, const std::string& url) {
  if (error == Errc::over_limit) {
    return told(413, "Too large", "The archived body is too large to be replayed.", url);
  }
  if (error == Errc::no_space) return told(503, "No room", error.message(), url);
  return told(502, "The archive is damaged", error.message(), url);
}

}  // namespace

std::string ReplayAddress::address_of(std::string_view other, Form as) const {
  std::string address(kPrefix);
  address += token;
  if (!view.empty()) address.append(".").append(view);
  return address.append("/").append(time).append(suffix_of(as)).append("/").append(other);
}

std::optional<WallTime> parse_capture_time(std::string_view digits) {
  // A year at least. Months and days begin with 1.
  constexpr std::string_view kFirst = "00000101000000";
  const bool is_odd = digits.size() % 2 != 0;  // half of a month, a day, an hour
  if (digits.size() < 4 || digits.size() > kFirst.size() || is_odd) return {};
  if (!std::ranges::all_of(digits, base::is_digit)) return {};
  std::string whole(digits);
  whole += kFirst.substr(digits.size());
  return warc::parse_record_date(whole);
}

Result<ReplayAddress> parse_replay_address(std::string_view target) {
  const auto malformed = [] { return fail(Errc::malformed, "this is not the address of a page"); };
  if (!target.starts_with(kPrefix)) return malformed();
  target.remove_prefix(kPrefix.size());
  const std::size_t first = target.find('/');
  const std::size_t second = first == std::string_view::npos ? first : target.find('/', first + 1);
  if (second == std::string_view::npos) return malformed();
  ReplayAddress address;
  std::string_view token = target.substr(0, first);
  if (const std::size_t dot = token.find('.'); dot != std::string_view::npos) {
    address.view = token.substr(dot + 1);
    token = token.substr(0, dot);
    if (address.view.empty() || address.view.size() > kViewBytesMax ||
        !is_letters_and_digits(address.view)) {
      return malformed();
    }
  }
  address.token = token;
  std::string_view time = target.substr(first + 1, second - first - 1);
  for (const auto form : {ReplayAddress::Form::frame, ReplayAddress::Form::raw}) {
    if (!time.ends_with(suffix_of(form))) continue;
    address.form = form;
    time.remove_suffix(suffix_of(form).size());
    break;
  }
  address.time = time;
  if (time != kLatest) {
    address.at = parse_capture_time(time);
    if (!address.at) return malformed();
  }
  const auto url = url::Url::parse(target.substr(second + 1));
  if (!url || !url->is_http_or_https()) return malformed();
  address.url = url->without_fragment();
  return address;
}

std::optional<std::uint32_t> crawl_of(const captures::Collection& collection,
                                      const ReplayAddress& address) {
  const auto capture = collection.nearest({.url = address.url, .at = address.at});
  return capture ? std::optional(collection.crawl_of(*capture)) : std::nullopt;
}

Replayed replay(const captures::Collection& collection, const ReplayAddress& address,
                const captures::WorkLimit& limit) {
  captures::Collection::Wanted wanted = {
      .url = address.url, .at = address.at, .crawl = address.crawl};
  auto capture = collection.nearest(wanted);
  if (!capture) return not_archived(address.url);
  const bool is_received = address.runs_scripts || address.form == ReplayAddress::Form::raw;
  const auto read = [&] {
    return is_received ? collection.answer_of(*capture, limit)
                       : collection.shown_of(*capture, limit);
  };
  auto answer = read();
  if (!answer) return failed(answer.error(), address.url);
  auto target = redirect_target(*answer, capture->url);
  if (target && *target == address.url) {
    // Spellings of one URL redirect to each other, and only one of them may be archived.
    const captures::Capture redirecting = *capture;
    wanted.but_not = &redirecting;
    capture = collection.nearest(wanted);
    if (!capture)
      return told(508, "Redirects to itself", "No other capture is archived.", address.url);
    answer = read();
    if (!answer) return failed(answer.error(), address.url);
    target = redirect_target(*answer, capture->url);
  }
  Replayed replayed = {.is_archived = true,
                       .at = capture->at,
                       .url = capture->url,
                       .archive = capture->archive,
                       .status = answer->http ? answer->http->status().value_or(200) : 200};
  if (address.form == ReplayAddress::Form::raw) {
    replayed.response = raw(*answer);
  } else if (target) {
    replayed.response = server::plain_response(302, "redirect");
    replayed.response.fields = {{"Location", address.address_of(*target, address.form)},
                                {"Cache-Control", "no-store"}};
  } else {
    replayed.response = rewritten(*answer, address, capture->url);
    replayed.is_document = replayed.response.type.starts_with("text/html");
    replayed.is_svg = replayed.response.type.starts_with(kSvg);
    // An archived error is shown as one. Other statuses have a meaning for this connection only.
    const bool is_shown = replayed.status >= 400 && replayed.status <= 599;
    replayed.response.status = is_shown ? replayed.status : 200;
  }
  replayed.response.fields.emplace_back("X-Archive-Captured", warc::timestamp14(capture->at));
  if (!answer->is_whole) replayed.response.fields.emplace_back("X-Archive-Incomplete", "1");
  return replayed;
}

}  // namespace gossamer::serve
