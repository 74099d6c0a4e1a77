// Stage 1: a blocking fetch. Each one holds a thread while it waits, so there are only as many
// concurrent fetches as threads.
//
//   01_threads PORT PATH...
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tiny_http.h"

namespace {

std::string fetch(std::uint16_t port, const std::string& path) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  std::string response;
  if (tiny_http::start_connecting(connection, port) == 0) {  // blocks
    const std::string request = tiny_http::request_for(path);
    send(connection, request.data(), request.size(), MSG_NOSIGNAL);  // blocks
    char chunk[4096];
    for (ssize_t count; (count = recv(connection, chunk, sizeof(chunk), 0)) > 0;) {  // blocks
      response.append(chunk, static_cast<std::size_t>(count));
    }
  }
  close(connection);
  return response;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return tiny_http::usage("01_threads PORT PATH...");
  const std::uint16_t port = tiny_http::port_from(argv[1]);
  const std::vector<std::string> paths(argv + 2, argv + argc);
  std::vector<std::string> pages(paths.size());

  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> pool;
  for (int i = 0; i < 4; ++i) {
    pool.emplace_back([&] {
      for (std::size_t mine; (mine = next++) < paths.size();) {
        pages[mine] = fetch(port, paths[mine]);
      }
    });
  }
  for (std::thread& thread : pool) thread.join();

  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::printf("%s: %zu links\n", paths[i].c_str(), tiny_http::links_in(pages[i]).size());
  }
}
