#include "cli/fetch_output.h"

#include "base/escape.h"
#include "base/json.h"
#include "cli/command.h"
#include "options/setting_names.h"
#include "report/root_troubles.h"

namespace gossamer::cli {
namespace {

double in_seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string times_of(const http::ExchangeFacts& facts) {
  constexpr int kDigits = 6;
  base::JsonLine line;
  if (!facts.reused) {
    line.decimal("dns", in_seconds(facts.connection.dns), kDigits);
    line.decimal("connect", in_seconds(facts.connection.connect), kDigits);
    line.decimal("handshake", in_seconds(facts.connection.handshake), kDigits);
  }
  line.decimal("first_byte", in_seconds(facts.first_byte), kDigits);
  line.decimal("total", in_seconds(facts.total), kDigits);
  return line.finish();
}

std::string tls_of(const net::TlsFacts& facts) {
  base::JsonLine line;
  line.text("protocol", facts.protocol).text("cipher", facts.cipher);
  line.text("alpn", facts.alpn).boolean("resumed", facts.resumed);
  line.text("verification", name(facts.verification));
  if (facts.certificate) {
    line.text("subject", facts.certificate->subject).text("issuer", facts.certificate->issuer);
    line.text("sha256", facts.certificate->sha256);
  }
  return line.finish();
}

std::string rendering_of(const RenderedFacts& facts) {
  base::JsonLine line;
  line.decimal("seconds", in_seconds(facts.took), 3);
  line.number("requests", facts.parts).number("refused", facts.parts_refused);
  line.number("links", facts.links).boolean("ready", !facts.is_unready);
  line.boolean("truncated", facts.is_cut);
  line.text("isolation", render::name(facts.isolation));
  std::string problems;
  for (const std::string& problem : facts.problems) {
    if (!problems.empty()) problems += ", ";
    base::append_json_string(problems, problem);
  }
  return line.raw("errors", "[" + problems + "]").finish();
}

std::string error_of(const Error& error) {
  base::JsonLine line;
  line.text("code", name(error.code()));
  if (const auto failure = net::tls_failure(error); failure != net::TlsFailure::none) {
    line.text("tls", name(failure));
  }
  return line.text("message", error.to_string()).finish();
}

}  // namespace

std::string to_json(const FetchRecord& record) {
  base::JsonLine line;
  line.text("url", record.url).text("method", record.method);
  if (!record.final_url.empty()) line.text("final_url", record.final_url);
  if (record.status) {
    line.number("status", static_cast<std::uint64_t>(*record.status));
    if (!record.content_type.empty()) line.text("content_type", record.content_type);
    if (!record.location.empty()) line.text("location", record.location);
    line.number("body_bytes", record.body_bytes).number("encoded_bytes", record.encoded_bytes);
    line.boolean("complete", record.is_complete);
    line.text("protocol", record.facts.protocol);
    line.text("remote", record.facts.connection.remote.to_string());
    line.boolean("reused", record.facts.reused);
    line.number("bytes_sent", record.facts.bytes_sent);
    line.number("bytes_received", record.facts.bytes_received);
    line.raw("seconds", times_of(record.facts));
  }
  if (record.tls) line.raw("tls", tls_of(*record.tls));
  if (record.rendered) line.raw("rendered", rendering_of(*record.rendered));
  if (record.error) line.raw("error", error_of(*record.error));
  return line.finish();
}

std::string to_line(const FetchRecord& record) {
  const Error& error = *record.error;
  const int code = exit_code_for(error);
  const bool is_local = code == kFileFailed || code == kUsage;
  const std::string why = is_local ? error.message()
                                   : report::reason_and_remedy({record.url, name(error.code()),
                                                                error.to_string(), "--max-time"});
  return "gossamer fetch: " + base::escape_for_terminal(record.url) + ": " +
         base::escape_for_terminal(options::as_flags(why));
}

}  // namespace gossamer::cli
