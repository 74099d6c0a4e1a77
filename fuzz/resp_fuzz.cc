// Reads RESP of any bytes: the result does not depend on how they are divided, and a command that
// was written is read back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "redis/resp.h"
#include "redis/server_error.h"
#include "redis/server_url.h"
#include "redis/slot_map.h"

namespace gossamer {
namespace {

constexpr redis::RespLimits kLimits = {
    .line_bytes_max = 64, .reply_bytes_max = 4096, .items_max = 256, .depth_max = 5};

struct Reading {
  std::vector<redis::Reply> replies;
  std::size_t consumed = 0;
  bool has_failed = false;
};

Reading read(std::string_view bytes, std::size_t piece, redis::RespLimits limits) {
  Reading reading;
  redis::RespReader reader(limits);
  while (reading.consumed < bytes.size()) {
    const std::string_view part = bytes.substr(reading.consumed, piece);
    const std::vector<char> block(part.begin(), part.end());
    const auto step = reader.feed(as_bytes({block.data(), block.size()}));
    reading.has_failed = !step;
    if (!step) break;
    CHECK(step->consumed > 0 && step->consumed <= part.size());
    reading.consumed += step->consumed;
    if (step->is_done) reading.replies.push_back(reader.take());
  }
  return reading;
}

bool is_equal(const redis::Reply& a, const redis::Reply& b) {
  return a.kind == b.kind && a.integer == b.integer && a.text == b.text &&
         std::ranges::equal(a.items, b.items, is_equal);
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 16;
  const Reading whole = read(bytes, size, kLimits);
  const Reading pieces = read(bytes, piece, kLimits);
  CHECK_EQ(pieces.has_failed, whole.has_failed);
  CHECK(std::ranges::equal(whole.replies, pieces.replies, is_equal));
  const redis::Node sender = {.host = "10.0.0.1", .port = 7000};
  for (const redis::Reply& reply : whole.replies) {
    static_cast<void>(redis::SlotMap::parse(reply, sender));
    static_cast<void>(redis::advice_for(reply.text, sender));
    static_cast<void>(redis::error_of(reply.text, sender));
  }
  static_cast<void>(redis::parse_server_url(bytes));
  const Reading again = read(redis::Commands().add({bytes, "x", bytes}).bytes(), piece, {});
  CHECK(again.replies.size() == 1 && again.replies[0].items.size() == 3);
  CHECK(again.replies[0].items[0].text == bytes && again.replies[0].items[2].text == bytes);
  return 0;
}
