// Tests hostile responses over real sockets: external vectors and our own bombs.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/support/base64.h"
#include "tests/conformance/support/json.h"
#include "tests/conformance/support/testdata.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_hostile_server.h"
#include "tests/support/driver_test.h"
#include "tests/support/patience.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;
using conformance::Json;
using conformance::string_at;

class HostileVectorTest : public async::DriverTest {};

ON_REAL_DRIVERS(HostileVectorTest);

// An answer with its body as it came.
struct RawFetched {
  int status = 0;
  std::string body;
  bool is_complete = false;
  bool is_accepted = true;  // nothing was wrong but, perhaps, that it was cut
  bool is_cut = false;
};

// BORROWS: the client.
Task<Result<RawFetched>> fetch_raw(Client& client, std::string url, std::string method) {
  const Request request = make_request(url, {.method = std::move(method)});
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  RawFetched raw = {.status = response->status()};
  for (;;) {
    auto piece = co_await response->next();
    if (!piece) raw.is_cut = piece.error() == Errc::peer_closed;
    if (!piece) raw.is_accepted = raw.is_cut;
    if (!piece || piece->empty()) break;
    raw.body += as_text(*piece);
  }
  raw.is_complete = response->is_complete();
  co_return raw;
}

bool passes(const Json& row, const Result<RawFetched>& seen, bool was_kept) {
  const std::string verdict = string_at(row, "verdict");
  if (seen && seen->is_complete && (seen->is_cut || !seen->is_accepted)) return false;
  if (verdict == "accept-or-reject") return true;
  if (verdict == "reject") return !seen || !seen->is_accepted;
  if (!seen || !seen->is_accepted || seen->status != row.value("status", seen->status))
    return false;
  if (seen->is_complete != (verdict == "accept")) return false;
  if (row.contains("body") &&
      seen->body != conformance::bytes_from_latin1(string_at(row, "body"))) {
    return false;
  }
  if (row.contains("body_len") && seen->body.size() != row["body_len"]) return false;
  return !row.contains("reuse_connection") || row["reuse_connection"] == was_kept;
}

TEST_P(HostileVectorTest, AreTakenOrRefusedAsTold) {
  NEEDS_TESTDATA("hostile/raw-http.json");
  const Json rows = conformance::read_json("hostile/raw-http.json");
  std::vector<Fault> table;
  for (const Json& row : rows) {
    table.push_back({.bytes = conformance::read_testdata("hostile/" + string_at(row, "file"))});
  }
  HostileServer server(std::move(table));
  run([](const HostileServer& hostile, const Json& all) -> Task<void> {
    LocalClient local;
    conformance::Score score("hostile/raw-http over a socket");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string method = string_at(all[i], "request_method");
      auto seen = co_await async::with_timeout(
          support::kPatience,
          fetch_raw(local.client, hostile.url(i), method.empty() ? "GET" : method));
      const bool is_leaked = !local.has_all_back();
      const bool was_kept = local.client.pool().idle() > 0;
      local.client.close_idle();
      score.count(!is_leaked && passes(all[i], seen, was_kept), [&] {
        return all[i].dump() + ": " +
               (seen ? fmt::format("{}, {} bytes, complete {}, kept {}", seen->status,
                                   seen->body.size(), seen->is_complete, was_kept)
                     : seen.error().to_string());
      });
    }
    EXPECT_TRUE(score.reaches(1.0));
  }(server, rows));
}

// Resident memory of this process, now and at most since the last reset.
struct Memory {
  std::uint64_t now_kib = 0;
  std::uint64_t most_kib = 0;

  static void reset_most() { std::ofstream("/proc/self/clear_refs") << "5"; }
  static Memory read() {
    Memory memory;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("VmRSS:")) memory.now_kib = std::stoull(line.substr(6));
      if (line.starts_with("VmHWM:")) memory.most_kib = std::stoull(line.substr(6));
    }
    return memory;
  }
};

constexpr std::uint64_t kGrowthMaxKib = 64 * 1024;

// RFC 8878: blocks that say "128 KiB of this byte" in four bytes, again and again.
std::string zstd_bomb(std::uint64_t bytes) {
  constexpr std::uint32_t kBlockBytes = 128 * 1024;
  constexpr std::uint32_t kRunLength = 1;
  std::string bomb = {'\x28', '\xb5', '\x2f', '\xfd', '\0', '\x38'};  // a window of 128 KiB
  for (std::uint64_t made = 0; made < bytes; made += kBlockBytes) {
    const bool is_last = made + kBlockBytes >= bytes;
    const std::uint32_t header = (kBlockBytes << 3) | (kRunLength << 1) | (is_last ? 1 : 0);
    for (int shift = 0; shift < 24; shift += 8) bomb += static_cast<char>(header >> shift);
    bomb += '0';
  }
  return bomb;
}

struct Bomb {
  std::string name;
  std::string coding;
  std::string body;
  std::uint64_t inflated_bytes = 0;  // 0: what it is worth is not known
};

std::vector<Bomb> bombs() {
  std::vector<Bomb> all = {{"zstd, made here", "zstd", zstd_bomb(1 << 30), 1 << 30},
                           {"zstd twice", "zstd, zstd", zstd_bomb(1 << 30), 0}};
  if (!conformance::has_testdata("hostile/manifest.json")) return all;
  for (const Json& row : conformance::read_json("hostile/manifest.json")) {
    const std::string file = string_at(row, "file");
    if (!file.starts_with("decomp/")) continue;
    all.push_back({file, string_at(row, "content_encoding"),
                   conformance::read_testdata("hostile/" + file),
                   row.value("inflated_bytes", std::uint64_t{0})});
  }
  return all;
}

HostileServer serve_bombs(const std::vector<Bomb>& all) {
  std::vector<Fault> table;
  for (const Bomb& bomb : all) {
    table.push_back({.bytes = "HTTP/1.1 200 OK\r\nContent-Encoding: " + bomb.coding +
                              "\r\nContent-Length: " + std::to_string(bomb.body.size()) +
                              "\r\n\r\n" + bomb.body});
  }
  return HostileServer(std::move(table));
}

// Fails the test if the memory of this process grew too much since reset_most(). Sanitizers keep
// what is freed, so that nothing can be said with them.
void check_growth(const Memory& before, const std::string& name) {
  const Memory after = Memory::read();
  if (async::kSanitized) return;
  EXPECT_LT(after.most_kib - before.now_kib, kGrowthMaxKib) << name;
}

TEST_P(HostileVectorTest, DoNotBlowUpMemoryReadPieceByPiece) {
  const std::vector<Bomb> all = bombs();
  const HostileServer server = serve_bombs(all);
  run([](const HostileServer& hostile, const std::vector<Bomb>& every) -> Task<void> {
    LocalClient local;
    for (std::size_t i = 0; i < every.size(); ++i) {
      Memory::reset_most();
      const Memory before = Memory::read();
      const Request request = make_request(hostile.url(i), {});
      auto response = co_await local.client.send(request);
      CHECK(response);
      BodyReader reader(*response);
      std::uint64_t bytes = 0;
      auto piece = co_await reader.next();
      for (; piece && !piece->empty(); piece = co_await reader.next()) bytes += piece->size();
      EXPECT_LE(bytes, wire::DecodeLimits().bytes_max) << every[i].name;
      if (every[i].inflated_bytes > wire::DecodeLimits().bytes_max) {
        EXPECT_TRUE(!piece && piece.error() == Errc::over_limit) << every[i].name;
      }
      check_growth(before, every[i].name);
    }
  }(server, all));
}

TEST_P(HostileVectorTest, DoNotBlowUpMemoryReadAtOnce) {
  constexpr wire::DecodeLimits kLimits = {.bytes_max = 16 << 20};
  const std::vector<Bomb> all = bombs();
  const HostileServer server = serve_bombs(all);
  run([](const HostileServer& hostile, const std::vector<Bomb>& every,
         wire::DecodeLimits limits) -> Task<void> {
    LocalClient local;
    for (std::size_t i = 0; i < every.size(); ++i) {
      Memory::reset_most();
      const Memory before = Memory::read();
      auto fetched = co_await fetch(local.client, hostile.url(i), {.limits = limits});
      CHECK(fetched);
      EXPECT_LE(fetched->body.size(), limits.bytes_max) << every[i].name;
      if (every[i].inflated_bytes > limits.bytes_max) {
        EXPECT_TRUE(fetched->trouble && *fetched->trouble == Errc::over_limit) << every[i].name;
      }
      check_growth(before, every[i].name);
      EXPECT_TRUE(local.has_all_back());
    }
  }(server, all, kLimits));
}

}  // namespace
}  // namespace gossamer::http
