#include "record/record.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/json.h"
#include "record/record_fields.h"
#include "wire/response_head.h"

namespace gossamer::crawler {
namespace {

void text_or_null(base::JsonLine& line, std::string_view name, std::string_view value) {
  if (value.empty()) {
    line.null(name);
  } else {
    line.text(name, value);
  }
}

}  // namespace

std::size_t bytes_of(const PageLink& link) noexcept {
  return sizeof(link) + link.url.size() + link.text.size() + link.rel.size();
}

std::string to_json(const std::vector<PageLink>& links) {
  std::string list = "[";
  for (const PageLink& link : links) {
    if (list.size() > 1) list += ", ";
    base::JsonLine line;
    line.text("url", link.url).text("kind", link.kind).text("text", link.text);
    list += line.text("rel", link.rel).finish();
  }
  return list + "]";
}

std::vector<HeaderField> header_fields(std::string_view head) {
  std::vector<HeaderField> fields;
  const auto parsed = wire::ResponseHead::parse(head, head.size());
  if (!parsed) return fields;
  for (std::size_t i = 0; i < parsed->size(); ++i) {
    const auto& [name, value] = (*parsed)[i];
    fields.push_back({.name = base::lower_case(name), .value = std::string(value)});
  }
  return fields;
}

std::size_t contents_bytes(const FetchRecord& record) noexcept {
  std::size_t bytes = record.text.size() + record.markdown.size() + record.head.size();
  if (!record.links) return bytes;
  for (const PageLink& link : *record.links) bytes += bytes_of(link);
  return bytes;
}

bool is_wrong_guess(const FetchRecord& record) noexcept {
  if (record.is_guess) return !record.error.empty() || record.status.value_or(0) >= 400;
  const std::string_view url = record.url;
  const std::string_view via = record.via;
  const bool is_guess = record.is_requisite && url.ends_with(kGuessedSitemap) &&
                        via.ends_with("/robots.txt") &&
                        url.substr(0, url.rfind('/')) == via.substr(0, via.rfind('/'));
  return is_guess && record.status.value_or(0) / 100 == 4;
}

void note_failure(FetchRecord& record, const Error& error) {
  record.error = base::name(error.code());
  record.error_detail = error.to_string();
  record.is_truncated = record.status.has_value();
}

std::string_view truncation_of(const FetchRecord& record) noexcept {
  if (!record.is_truncated) return {};
  if (record.error == base::name(Errc::over_limit)) return "length";
  if (record.error == base::name(Errc::timed_out)) return "time";
  const bool has_left =
      record.error == base::name(Errc::peer_closed) || record.error == base::name(Errc::reset);
  return has_left ? "disconnect" : "unspecified";
}

bool is_cut_by_limit(const FetchRecord& record) noexcept {
  return record.status && record.is_truncated && record.error == base::name(Errc::over_limit);
}

std::string to_json(const FetchRecord& record) {
  static const FieldChoice kAll = all_record_fields();
  return to_json(record, kAll);
}

std::string to_json(const SkippedUrl& skipped) {
  base::JsonLine line;
  line.text("url", skipped.url);
  line.text("skip_reason", name(skipped.reason));
  text_or_null(line, "detail", skipped.detail);
  line.number("depth", skipped.depth);
  text_or_null(line, "via", skipped.via);
  return line.finish();
}

std::string to_text(const FetchRecord& record) {
  std::string line = record.status ? fmt::format("{:3}", *record.status) : std::string("  -");
  line += fmt::format(" {:>9} {:<24} {}", record.bytes,
                      record.mime.empty() ? "-" : base::escape_for_terminal(record.mime),
                      base::escape_for_terminal(record.url));
  if (!record.next_url.empty()) line += " -> " + base::escape_for_terminal(record.next_url);
  if (!record.error.empty()) line += fmt::format("  [{}]", record.error);
  return line;
}

}  // namespace gossamer::crawler
