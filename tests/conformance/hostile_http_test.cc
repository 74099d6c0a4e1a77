// Hostile responses: the bytes of a connection that is closed after them.

#include <string>

#include "support/base64.h"
#include "support/json.h"
#include "support/response_replay.h"
#include "support/testdata.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

wire::RequestKind kind_of(const Json& row) {
  const std::string method = string_at(row, "request_method");
  return method == "HEAD"      ? wire::RequestKind::head
         : method == "CONNECT" ? wire::RequestKind::connect
                               : wire::RequestKind::ordinary;
}

bool has_body_as_told(const Json& row, const ReplayedResponse& seen) {
  if (row.contains("body")) return seen.body == bytes_from_latin1(string_at(row, "body"));
  return !row.contains("body_len") || seen.body.size() == row["body_len"];
}

// The location as a request would carry it.
bool has_location_as_told(const Json& row, const ReplayedResponse& seen) {
  if (!row.contains("location")) return true;
  const auto place = wire::location(seen.head);
  if (!place || !*place) return false;
  const auto base = url::Url::parse("http://example.com/");
  const auto url = base->resolve(**place);
  return url && (url->request_target() == string_at(row, "location") ||
                 url->href() == string_at(row, "location"));
}

bool has_header_as_told(const Json& row, const ReplayedResponse& seen) {
  if (!row.contains("header")) return true;
  for (const auto& [name, value] : row["header"].items()) {
    if (seen.head.find(name) != std::string_view(bytes_from_latin1(value.get<std::string>()))) {
      return false;
    }
  }
  return true;
}

bool hostile_response_passes(const Json& row, const ReplayedResponse& seen) {
  const std::string verdict = string_at(row, "verdict");
  if (verdict == "accept-or-reject") return true;
  if (verdict == "reject") return !seen.is_accepted();
  if (!seen.is_accepted() || seen.status != row.value("status", seen.status)) return false;
  if (seen.is_complete == (verdict == "accept-incomplete")) return false;
  if (seen.is_truncated != (verdict == "accept-incomplete")) return false;
  if (row.contains("reuse_connection") && seen.is_reusable != row["reuse_connection"]) return false;
  return has_body_as_told(row, seen) && has_location_as_told(row, seen) &&
         has_header_as_told(row, seen);
}

TEST(HostileHttpSuite, IsTakenOrRefusedAsTold) {
  NEEDS_TESTDATA("hostile/raw-http.json");
  Score score("hostile/raw-http");
  for (const Json& row : read_json("hostile/raw-http.json")) {
    const std::string bytes = read_testdata("hostile/" + string_at(row, "file"));
    const ReplayedResponse seen = replay(bytes, kind_of(row));
    score.count(hostile_response_passes(row, seen), [&] {
      return fmt::format("{}: {} {}, {} bytes of body, complete {}, reusable {}", row.dump(),
                         seen.is_accepted() ? "accepted" : "refused", seen.status, seen.body.size(),
                         seen.is_complete, seen.is_reusable);
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
