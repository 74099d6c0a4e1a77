// Stage 2: the socket no longer blocks, and we poll it in a loop. One thread could now serve many
// sockets, but it burns a whole core to learn that nothing has happened yet.
//
//   02_busy_loop PORT PATH
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>

#include "tiny_http.h"

int main(int argc, char** argv) {
  if (argc != 3) return tiny_http::usage("02_busy_loop PORT PATH");
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (tiny_http::start_connecting(connection, tiny_http::port_from(argv[1])) != 0 &&
      errno != EINPROGRESS) {
    return tiny_http::failed("connect");
  }

  unsigned long asked_in_vain = 0;
  const std::string request = tiny_http::request_for(argv[2]);
  while (send(connection, request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    if (errno != EAGAIN && errno != ENOTCONN) return tiny_http::failed("send");
    ++asked_in_vain;
  }

  std::string response;
  char chunk[4096];
  for (;;) {
    const ssize_t count = recv(connection, chunk, sizeof(chunk), 0);
    if (count == 0) break;
    if (count > 0) {
      response.append(chunk, static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      ++asked_in_vain;
    } else {
      return tiny_http::failed("recv");
    }
  }
  close(connection);
  std::printf("%s: %zu links\n", argv[2], tiny_http::links_in(response).size());
  std::printf("asked the kernel %s\n", asked_in_vain > 0 ? "in vain, again and again" : "once");
}
