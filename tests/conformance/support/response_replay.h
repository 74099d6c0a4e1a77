// Feeds the bytes of a connection to the response parser in pieces of one size.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "testdata.h"
#include "wire/response_parser.h"

namespace gossamer::conformance {

struct ReplayedResponse {
  bool has_head = false;
  bool is_complete = false;   // by its framing
  bool is_truncated = false;  // the peer closed in the middle
  bool is_reusable = false;
  std::optional<Errc> error;
  int status = 0;
  int minor_version = 0;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::size_t consumed = 0;  // of the bytes of the connection
  wire::ResponseHead head;

  bool is_accepted() const { return has_head && !error; }

  friend bool operator==(const ReplayedResponse& a, const ReplayedResponse& b) {
    return a.has_head == b.has_head && a.is_complete == b.is_complete &&
           a.is_truncated == b.is_truncated && a.is_reusable == b.is_reusable &&
           a.error == b.error && a.status == b.status && a.reason == b.reason &&
           a.headers == b.headers && a.body == b.body &&
           (a.error.has_value() || a.consumed == b.consumed);
  }
};

// Feeds one piece. True when the response is complete or has failed.
inline bool replay_piece(wire::ResponseParser& parser, Bytes piece, ReplayedResponse& seen) {
  using Kind = wire::ResponseParser::Step::Kind;
  while (true) {
    const auto step = parser.feed(piece);
    if (!step) {
      seen.error = step.error().code();
      return true;
    }
    piece = piece.subspan(step->consumed);
    seen.consumed += step->consumed;
    if (step->kind == Kind::need_more) return false;
    if (step->kind == Kind::complete) return true;
    if (step->kind == Kind::body) seen.body += as_text(step->body);
    if (step->kind != Kind::head) continue;
    seen.head = parser.take_head();
    seen.has_head = true;
    seen.status = seen.head.status();
    seen.minor_version = seen.head.minor_version();
    seen.reason = seen.head.reason();
    for (std::size_t i = 0; i < seen.head.size(); ++i) {
      seen.headers.emplace_back(seen.head[i].name, seen.head[i].value);
    }
  }
}

// `closes`: the peer closes after the last byte.
inline ReplayedResponse replay_in_pieces(std::string_view bytes, std::size_t piece_bytes,
                                         wire::RequestKind kind, bool closes) {
  static const wire::ResponseLimits limits;
  ReplayedResponse seen;
  wire::ResponseParser parser(kind, limits);
  bool has_ended = false;
  for (std::size_t at = 0; at < bytes.size() && !has_ended; at += piece_bytes) {
    // A separate block, so that sanitizers detect stale views and overreads.
    const ExactBlock piece(bytes.substr(at, piece_bytes));
    has_ended = replay_piece(parser, as_bytes(piece.view()), seen);
  }
  if (closes && !seen.error) {
    const auto finished = parser.finish();
    seen.is_truncated = !finished && seen.has_head;
    if (!finished && !seen.has_head) seen.error = finished.error().code();
  }
  seen.is_complete = !seen.error && parser.is_complete();
  seen.is_reusable = !seen.error && parser.is_reusable() && seen.consumed == bytes.size();
  return seen;
}

// Feeds the whole input in one piece, and as a check one byte and seven bytes at a time.
inline ReplayedResponse replay(std::string_view bytes,
                               wire::RequestKind kind = wire::RequestKind::ordinary,
                               bool closes = true) {
  ReplayedResponse whole =
      replay_in_pieces(bytes, std::max<std::size_t>(bytes.size(), 1), kind, closes);
  for (const std::size_t piece_bytes : {1, 7}) {
    if (!(replay_in_pieces(bytes, piece_bytes, kind, closes) == whole)) {
      ADD_FAILURE() << "pieces of " << piece_bytes
                    << " bytes give another result: " << bytes.substr(0, 300);
    }
  }
  return whole;
}

}  // namespace gossamer::conformance
