// Requests to `gossamer serve`: read as a whole and byte by byte, they are the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "serve/gate.h"
#include "serve/replay.h"
#include "server/host_check.h"
#include "server/request.h"

namespace gossamer {
namespace {

struct Outcome {
  server::RequestParser parser;
  std::size_t taken = 0;
};

Outcome read(std::string_view text, std::size_t piece) {
  Outcome outcome;
  while (outcome.taken < text.size() && !outcome.parser.is_done() && !outcome.parser.has_failed()) {
    outcome.taken += outcome.parser.feed(as_bytes(text.substr(outcome.taken, piece)));
  }
  return outcome;
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Outcome whole = read(text, size);
  Outcome bytewise = read(text, 1);
  CHECK(whole.parser.state() == bytewise.parser.state());
  CHECK(whole.parser.failure() == bytewise.parser.failure());
  if (!whole.parser.is_done()) return 0;
  CHECK(whole.taken == bytewise.taken);
  const server::Request request = whole.parser.take();
  const server::Request same = bytewise.parser.take();
  CHECK(request.target == same.target && request.body == same.body);
  CHECK(request.fields.size() == same.fields.size());
  CHECK(request.target.starts_with('/'));
  static_cast<void>(request.parameter("q"));
  static_cast<void>(server::admit_host(request, server::loopback_names(), 8080));
  static_cast<void>(serve::reject_api_request(request, "http://127.0.0.1:8080", "token"));
  // The address of a page survives being written.
  if (const auto address = serve::parse_replay_address(request.target)) {
    const std::string written = address->address_of(address->url, address->form);
    const auto again = serve::parse_replay_address(written);
    CHECK(again && again->url == address->url && again->at == address->at);
  }
  return 0;
}
