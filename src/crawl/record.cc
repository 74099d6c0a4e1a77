#include "crawl/record.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json.h"

namespace gossamer::crawl {
namespace {

void text_or_null(base::JsonLine& line, std::string_view name, std::string_view value) {
  if (value.empty()) {
    line.null(name);
  } else {
    line.text(name, value);
  }
}

double milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

std::string timings(const http::ExchangeFacts& facts) {
  base::JsonLine line;
  const http::ConnectionFacts& connection = facts.connection;
  const bool is_new = !facts.reused;
  line.decimal("dns", is_new ? milliseconds(connection.dns) : 0, 3);
  line.decimal("connect", is_new ? milliseconds(connection.connect) : 0, 3);
  line.decimal("tls", is_new ? milliseconds(connection.handshake) : 0, 3);
  line.decimal("ttfb", milliseconds(facts.first_byte), 3);
  line.decimal("total", milliseconds(facts.total), 3);
  return line.finish();
}

}  // namespace

std::string to_json(const FetchRecord& record) {
  base::JsonLine line;
  line.text("ts", base::to_rfc3339(record.ts, base::SecondDigits::milli));
  line.text("url", record.url);
  if (record.status) {
    line.number("status", static_cast<std::uint64_t>(*record.status));
  } else {
    line.null("status");
  }
  text_or_null(line, "next_url", record.next_url);
  text_or_null(line, "error", record.error);
  text_or_null(line, "error_detail", record.error_detail);
  line.number("bytes", record.bytes);
  line.number("wire_bytes", record.wire_bytes);
  text_or_null(line, "mime", record.mime);
  text_or_null(line, "charset", record.charset);
  line.number("depth", record.depth);
  text_or_null(line, "via", record.via);
  line.number("links_found", record.links_found);
  line.number("links_new", record.links_new);
  line.number("tries", record.tries);
  if (record.digest) {
    line.text("digest", fmt::format("xxh3:{:016x}", *record.digest));
  } else {
    line.null("digest");
  }
  text_or_null(line, "duplicate_of", record.duplicate_of);
  text_or_null(line, "title", record.title);
  line.boolean("truncated", record.is_truncated);
  if (record.status) {
    line.text("ip", record.facts.connection.remote.address_text());
    line.text("proto", record.facts.protocol);
    line.raw("timings", timings(record.facts));
  }
  return line.finish();
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

}  // namespace gossamer::crawl
