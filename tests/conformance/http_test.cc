// Responses of HTTP/1: the suites of llhttp, picohttpparser, curl and the web platform tests.
//
// They disagree with each other. Where they differ, we follow RFC 9112, and where it is open, the
// strictest reading that works with real servers.

#include <algorithm>
#include <string>
#include <vector>

#include "support/base64.h"
#include "support/exceptions.h"
#include "support/json.h"
#include "support/response_replay.h"
#include "support/testdata.h"
#include "tests/support/decode_whole.h"
#include "wire/chunked_decoder.h"
#include "wire/content_coding.h"
#include "wire/text.h"

namespace gossamer::conformance {
namespace {

std::string input_of(const Json& row) {
  if (row.contains("input_b64")) return bytes_from_base64(string_at(row, "input_b64"));
  if (row.contains("response_b64")) return bytes_from_base64(string_at(row, "response_b64"));
  return bytes_from_latin1(string_at(row, row.contains("input") ? "input" : "response"));
}

std::string shown(const Json& row) { return fmt::format("{:?}", input_of(row).substr(0, 300)); }

std::string shown(const ReplayedResponse& seen) {
  return fmt::format("status {}, {} headers, body {:?}, complete {}, truncated {}, error {}",
                     seen.status, seen.headers.size(), seen.body.substr(0, 80), seen.is_complete,
                     seen.is_truncated, seen.error ? base::name(*seen.error) : "none");
}

bool contains(const Json& row, std::string_view text) { return input_of(row).contains(text); }

bool has_transfer_coding_other_than_chunked(const Json& row) {
  const ReplayedResponse seen = replay(input_of(row));
  return seen.error == Errc::unsupported && contains(row, "ransfer-");
}

// llhttp --------------------------------------------------------------------------------------

constexpr Exception kLlhttpExceptions[] = {
    {"heads whose lines all end with a bare LF are read: real servers send them",
     [](const Json& row) { return !contains(row, "\r"); }},
    {"ICE and RTSP are not HTTP",
     [](const Json& row) { return contains(row, "ICE/") || contains(row, "RTSP/"); }},
    {"101 is refused: nothing here asks to switch protocols",
     [](const Json& row) { return input_of(row).contains(" 101 "); }},
    {"a transfer coding other than chunked is refused, not read until the end: its bytes would be "
     "taken for the page",
     has_transfer_coding_other_than_chunked},
    {"only HTTP/1.0 and 1.1 are spoken here",
     [](const Json& row) { return contains(row, "HTTP/0.9") || contains(row, "HTTP/2.0"); }},
};

bool is_like(const ReplayedResponse& seen, const Json& message) {
  if (seen.has_head != message.value("headers_complete", false)) return false;
  if (!seen.has_head) return true;
  std::vector<std::pair<std::string, std::string>> headers;
  for (const Json& header : message["headers"]) {
    headers.emplace_back(header[0].get<std::string>(),
                         wire::trim_blanks(header[1].get<std::string>()));
  }
  return seen.status == message.value("status_code", 0) && seen.headers == headers &&
         seen.body == bytes_from_base64(string_at(message, "body_b64")) &&
         seen.is_complete == message.value("complete", false);
}

// One message after the other, as on a connection that is used again.
bool llhttp_passes(const Json& row, std::string& what) {
  const std::string bytes = input_of(row);
  const int code = row["error"].is_null() ? 0 : row["error"].value("code", 0);
  const bool is_pause = code >= 21 && code <= 23;
  std::string_view rest = bytes;
  bool has_failed = false;
  std::size_t count = 0;
  while (!rest.empty() && !has_failed) {
    const ReplayedResponse seen = replay(rest, wire::RequestKind::ordinary, /*closes=*/false);
    what = shown(seen);
    rest.remove_prefix(seen.consumed);
    has_failed = seen.error.has_value();
    // What follows a response that ends the connection belongs to nobody.
    const bool may_go_on = seen.is_complete && seen.head.minor_version() == 1 &&
                           !seen.head.has_token("connection", "close");
    if (!has_failed && count < row["messages"].size() && !is_like(seen, row["messages"][count])) {
      return false;
    }
    ++count;
    if (!has_failed && !rest.empty() && !may_go_on) {
      has_failed = seen.head.has_token("connection", "close");
      break;
    }
  }
  return has_failed == (code != 0 && !is_pause);
}

TEST(HttpSuite, ResponsesAreReadAsLlhttpReadsThem) {
  NEEDS_TESTDATA("http/llhttp.jsonl");
  RuledScore score("http/llhttp responses", kLlhttpExceptions);
  for_each_json_line("http/llhttp.jsonl", [&](const Json& row) {
    // Lenient kinds, pauses and skipped bodies are about llhttp's own interface.
    if (string_at(row, "type") != "response" || row["meta"].contains("pause") ||
        row["meta"].contains("skipBody")) {
      return;
    }
    std::string what;
    const bool passed = llhttp_passes(row, what);
    score.count(row, passed, [&] {
      return fmt::format("{} {} gives {}, not {}", string_at(row, "id"), shown(row), what,
                         row["error"].dump());
    });
  });
  EXPECT_TRUE(score.is_clean());
}

// picohttpparser ------------------------------------------------------------------------------

constexpr Exception kPicoExceptions[] = {
    {"more than one space before the status code is refused: llhttp and the web platform tests do",
     [](const Json& row) { return contains(row, "HTTP/1.1   200"); }},
    {"a chunk of 2^64 - 1 bytes is rejected immediately: no body is that long",
     [](const Json& row) { return contains(row, "\r\nffffffffffffffff\r\n"); }},
};

bool pico_response_passes(const Json& row, const ReplayedResponse& seen) {
  const std::string result = string_at(row, "result");
  if (result == "error") return seen.error.has_value();
  if (seen.error || seen.has_head != (result == "complete")) return false;
  if (!seen.has_head) return true;
  const Json& expect = row["expect"];
  if (seen.minor_version != expect.value("minor_version", seen.minor_version)) return false;
  if (seen.status != expect.value("status", seen.status)) return false;
  if (seen.reason != expect.value("msg", seen.reason)) return false;
  // It gives a folded line as a header without a name; we join it to the one before.
  std::vector<std::pair<std::string, std::string>> headers;
  for (const Json& header : expect.value("headers", Json::array())) {
    const std::string value(wire::trim_blanks(header["value"].get<std::string>()));
    if (header.contains("name") && header["name"].is_null()) {
      headers.back().second += " " + value;
    } else {
      headers.emplace_back(string_at(header, "name"), value);
    }
  }
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (i >= seen.headers.size() || seen.headers[i].second != headers[i].second) return false;
    if (!headers[i].first.empty() && seen.headers[i].first != headers[i].first) return false;
  }
  return true;
}

struct Dechunked {
  std::string body;
  bool is_done = false;
  bool has_failed = false;
  std::size_t left_over = 0;
};

Dechunked dechunk(std::string_view text, std::size_t piece_bytes) {
  Dechunked seen;
  wire::ChunkedDecoder decoder;
  std::size_t consumed = 0;
  while (consumed < text.size() && !seen.is_done && !seen.has_failed) {
    const ExactBlock piece(text.substr(consumed, piece_bytes));
    const auto step = decoder.feed(as_bytes(piece.view()), {});
    seen.has_failed = !step;
    if (!step) break;
    consumed += step->consumed;
    seen.body += as_text(step->body);
    seen.is_done = step->is_done;
  }
  seen.left_over = text.size() - consumed;
  return seen;
}

bool pico_chunked_passes(const Json& row) {
  const std::string bytes = input_of(row);
  const std::string result = string_at(row, "result");
  for (const std::size_t piece_bytes : {bytes.size(), std::size_t{1}}) {
    const Dechunked seen = dechunk(bytes, piece_bytes);
    if (seen.has_failed != (result == "error")) return false;
    if (row.contains("decoded") && seen.body != string_at(row, "decoded")) return false;
    // Without consume_trailer it stops after the last chunk, where we continue.
    if (!row.value("consume_trailer", false)) continue;
    if (seen.is_done != (result == "complete")) return false;
    if (seen.left_over != row.value("left_over", std::size_t{0})) return false;
  }
  return true;
}

TEST(HttpSuite, ResponsesAndChunksAreReadAsPicohttpparserReadsThem) {
  NEEDS_TESTDATA("http/picohttpparser.jsonl");
  RuledScore score("http/picohttpparser responses and chunks", kPicoExceptions);
  for_each_json_line("http/picohttpparser.jsonl", [&](const Json& row) {
    const std::string kind = string_at(row, "kind");
    if (kind == "request") return;
    const bool passed =
        kind == "chunked"
            ? pico_chunked_passes(row)
            : pico_response_passes(row, replay(input_of(row), wire::RequestKind::ordinary, false));
    score.count(row, passed, [&] { return row.dump(); });
  });
  EXPECT_TRUE(score.is_clean());
}

// curl ----------------------------------------------------------------------------------------

bool has_option(const Json& row, std::string_view option) {
  for (const Json& given : row["options"]) {
    if (given.get<std::string>() == option) return true;
  }
  return false;
}

constexpr Exception kCurlExceptions[] = {
    {"HTTP/0.9 is not supported, not even on request",
     [](const Json& row) { return has_option(row, "--http0.9"); }},
    {"the transfer coding is always removed: there is no --raw",
     [](const Json& row) { return has_option(row, "--raw"); }},
    {"a transfer coding other than chunked is rejected: we never request one (--tr-encoding)",
     [](const Json& row) { return has_option(row, "--tr-encoding"); }},
    {"a length beyond 64 bits is refused, not taken for none (RFC 9112 6.3)",
     [](const Json& row) {
       const std::string bytes = input_of(row);
       const std::size_t at = bytes.find("Content-Length: ");
       return at != std::string::npos &&
              std::min(bytes.find_first_not_of("0123456789", at + 16), bytes.size()) - at > 34;
     }},
    {"a blank before the first field is refused: what it continues is not said",
     [](const Json& row) { return contains(row, "OK\r\n ") || contains(row, "OK\n "); }},
};

std::string decoded_body(const Json& row, const ReplayedResponse& seen, bool& is_good) {
  is_good = true;
  if (!has_option(row, "--compressed")) return seen.body;
  const auto codings = wire::parse_content_codings(seen.head.find_all("content-encoding"));
  if (!codings) {
    is_good = false;
    return {};
  }
  wire::WholeDecoder decoder;
  wire::DecodedBody decoded = decode_whole(decoder, *codings, as_bytes(seen.body));
  is_good = decoded.end == wire::DecodeEnd::complete;
  return decoded.bytes;
}

bool is_within_limit(const Json& row, const std::string& body) {
  const Json& options = row["options"];
  for (std::size_t i = 0; i + 1 < options.size(); ++i) {
    if (options[i] == "--max-filesize") {
      return body.size() <= std::stoul(options[i + 1].get<std::string>());
    }
  }
  return true;
}

bool curl_passes(const Json& row, const ReplayedResponse& seen) {
  bool is_decoded = false;
  const std::string body = decoded_body(row, seen, is_decoded);
  const int exit_code = row.value("exit_code", 0);
  const bool is_truncated = seen.is_truncated || seen.error == Errc::peer_closed;
  if (exit_code == 18) return is_truncated;
  const bool is_accepted = seen.is_accepted() && seen.is_complete && is_decoded &&
                           is_within_limit(row, body) && location(seen.head).has_value();
  if (exit_code != 0) return exit_code == 22 ? seen.status >= 400 : !is_accepted;
  if (!is_accepted) return false;
  if (row.value("nocheck", false)) return true;
  if (row.contains("final_status") && row["final_status"].is_number() &&
      row["final_status"] != seen.status) {
    return false;
  }
  return !row.contains("final_body_b64") || !row["final_body_b64"].is_string() ||
         body == bytes_from_base64(string_at(row, "final_body_b64"));
}

TEST(HttpSuite, RepliesOfCurlsTestsAreTakenAsCurlTakesThem) {
  NEEDS_TESTDATA("http/curl.jsonl");
  RuledScore score("http/curl", kCurlExceptions);
  for_each_json_line("http/curl.jsonl", [&](const Json& row) {
    const ReplayedResponse seen = replay(input_of(row));
    score.count(row, curl_passes(row, seen), [&] {
      return fmt::format("{} {}: exit code {} gives {}: {}", string_at(row, "id"),
                         string_at(row, "name"), row.value("exit_code", 0), shown(seen),
                         shown(row));
    });
  });
  EXPECT_TRUE(score.is_clean());
}

}  // namespace
}  // namespace gossamer::conformance
