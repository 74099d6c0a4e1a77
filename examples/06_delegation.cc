// Stage 6: coroutines call coroutines as functions call functions. read() waits for one chunk,
// read_all() awaits read() until the end; results and failures travel up the chain like return
// values.
//
//   06_delegation PORT PATH
#include <gossamer/loop.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include "tiny_http.h"

using namespace gossamer;

namespace {

// BORROWS: the connection, which the caller's frame owns while it awaits us.
async::Task<Result<std::string>> read(async::Socket& connection) {
  auto chunk = co_await connection.receive();
  if (!chunk) co_return fail(std::move(chunk).error());
  co_return std::string(as_text(chunk->bytes()));
}

// BORROWS: the connection, as above.
async::Task<Result<std::string>> read_all(async::Socket& connection) {
  std::string response;
  for (std::size_t chunks = 0;; ++chunks) {
    auto chunk = co_await read(connection);
    if (!chunk) co_return fail(std::move(chunk).error(), "after " + std::to_string(chunks));
    if (chunk->empty()) co_return response;
    response += *chunk;
  }
}

async::Task<Result<std::string>> fetch(async::Endpoint server, std::string path) {
  auto connection = co_await async::Socket::connect(server);
  if (!connection) co_return fail(std::move(connection).error());
  const std::string request = tiny_http::request_for(path);
  if (auto sent = co_await connection->send(as_bytes(request)); !sent) {
    co_return fail(std::move(sent).error());
  }
  co_return co_await read_all(*connection);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return tiny_http::usage("06_delegation PORT PATH");
  async::Loop loop;
  const auto response =
      loop.run(fetch(async::Endpoint::loopback(tiny_http::port_from(argv[1])), argv[2]));
  if (!response) {
    std::printf("%s\n", response.error().to_string().c_str());
    return 1;
  }
  std::printf("%s: %zu links\n", argv[2], tiny_http::links_in(*response).size());
}
