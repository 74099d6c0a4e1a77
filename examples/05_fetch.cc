// Stage 5: the same fetch on Gossamer's runtime. It reads like the blocking one of stage 1, waits
// like the callbacks of stage 3, and when it fails, the chain of awaits is still there.
//
//   05_fetch PORT PATH
#include <gossamer/loop.h>

#include <cstdio>
#include <string>
#include <utility>

#include "tiny_http.h"

using namespace gossamer;

namespace {

async::Task<Result<std::string>> fetch(async::Endpoint server, std::string path) {
  auto connection = co_await async::Socket::connect(server);
  if (!connection) co_return fail(std::move(connection).error());
  const std::string request = tiny_http::request_for(path);
  if (auto sent = co_await connection->send(as_bytes(request)); !sent) {
    co_return fail(std::move(sent).error());
  }
  std::string response;
  for (;;) {
    auto chunk = co_await connection->receive();
    if (!chunk) co_return fail(std::move(chunk).error());
    if (chunk->end()) co_return response;
    response += as_text(chunk->bytes());
  }
}

async::Task<Result<std::size_t>> count_links(async::Endpoint server, std::string path) {
  auto response = co_await fetch(server, path);
  if (!response) co_return fail(std::move(response).error(), "while fetching " + path);
  if (response->find("200 OK") == response->npos) {
    std::printf("%s failed; the stack is all there:\n%s", path.c_str(),
                async::describe_stack(*async::running_frame).c_str());
  }
  co_return tiny_http::links_in(*response).size();
}

async::Task<int> report(async::Endpoint server, std::string path) {
  auto links = co_await async::with_timeout(10s, count_links(server, path));
  if (!links) {
    std::printf("%s\n", links.error().to_string().c_str());
    co_return 1;
  }
  std::printf("%s: %zu links\n", path.c_str(), *links);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return tiny_http::usage("05_fetch PORT PATH");
  async::Loop loop;
  return loop.run(report(async::Endpoint::loopback(tiny_http::port_from(argv[1])), argv[2]));
}
