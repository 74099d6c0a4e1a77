// Responses of HTTP/1: the requirements of the web platform tests for browsers.

#include <string>

#include "support/base64.h"
#include "support/exceptions.h"
#include "support/json.h"
#include "support/response_replay.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

constexpr std::string_view kBody = "Fact: this is really forty-two bytes long.";

std::string sent_bytes(const Json& row) {
  if (row.contains("input_b64")) return bytes_from_base64(string_at(row, "input_b64"));
  if (row.contains("response")) return bytes_from_latin1(string_at(row, "response"));
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n" +
         bytes_from_latin1(string_at(row, "headers")) + "\r\n\r\n" + std::string(kBody);
}

constexpr Exception kExceptions[] = {
    {"a colon in a reason phrase or a value is in the grammar, and any date has two",
     [](const Json& row) {
       return string_at(row, "kind") == "h1-char-insertion" && sent_bytes(row).contains(':') &&
              string_at(row, "id").starts_with("COLON");
     }},
    {"the same bytes are listed as valid and as invalid: two spaces after the status code",
     [](const Json& row) { return sent_bytes(row).starts_with("HTTP/1.1 200  OK"); }},
    {"a status code of one or two digits is refused (RFC 9112 4), as llhttp does",
     [](const Json& row) {
       const std::string bytes = sent_bytes(row);
       return string_at(row, "kind") == "status-line" &&
              bytes.find_first_not_of("0123456789", 9) < 12;
     }},
    {"a length that is no number is refused, not ignored (RFC 9112 6.3), as curl does",
     [](const Json& row) {
       return string_at(row, "kind") == "content-length" && row["expected"] == kBody.size() &&
              replay(sent_bytes(row)).error == Errc::malformed;
     }},
};

bool wpt_response_passes(const Json& row, const ReplayedResponse& seen) {
  const std::string kind = string_at(row, "kind");
  if (kind == "h1-char-insertion") {
    return (seen.is_accepted() && seen.is_complete) == (string_at(row, "fetch") == "Valid");
  }
  if (kind == "lone-cr") return !seen.is_accepted();
  const Json& expected = row["expected"];
  if (expected.is_null()) return !seen.is_accepted();
  if (!seen.is_accepted()) return false;
  if (kind == "status-line") {
    return seen.status == expected["status"] && seen.reason == string_at(expected, "statusText");
  }
  return seen.body.size() == expected;
}

TEST(HttpWptSuite, ResponsesAreReadAsBrowsersShouldReadThem) {
  NEEDS_TESTDATA("http/wpt-h1.jsonl");
  RuledScore score("http/wpt-h1", kExceptions);
  for_each_json_line("http/wpt-h1.jsonl", [&](const Json& row) {
    const ReplayedResponse seen = replay(sent_bytes(row));
    score.count(row, wpt_response_passes(row, seen), [&] {
      return fmt::format("{} {:?}: {}", string_at(row, "id"), sent_bytes(row),
                         seen.is_accepted() ? "accepted" : "refused");
    });
  });
  EXPECT_TRUE(score.is_clean());
}

}  // namespace
}  // namespace gossamer::conformance
