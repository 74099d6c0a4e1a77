// Two ends of a connection, for tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "async/gather.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::async {

struct ConnectedPair {
  Socket client;
  Socket server;
};

// BORROWS: the listener, until it is over.
inline Task<Result<Socket>> accept_one(Listener& listener) { co_return co_await listener.accept(); }

inline Task<Result<Socket>> connect_to(Endpoint endpoint) {
  co_return co_await Socket::connect(endpoint);
}

inline Task<Result<ConnectedPair>> connect_pair() {
  auto listener = Listener::bind(Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  auto [client, server] = co_await gather(connect_to(listener->endpoint()), accept_one(*listener));
  if (!client) co_return fail(std::move(client).error());
  if (!server) co_return fail(std::move(server).error());
  co_return ConnectedPair{.client = std::move(*client), .server = std::move(*server)};
}

// Reads until the peer closes or `bytes_max` is reached.
// BORROWS: the socket, until it is over.
inline Task<Result<std::string>> receive_text(Socket& socket,
                                              std::size_t bytes_max = std::string::npos) {
  std::string text;
  while (text.size() < bytes_max) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) break;
    text += as_text(lent->bytes());
  }
  co_return text;
}

// BORROWS: the socket, until it is over.
inline Task<Result<void>> send_text(Socket& socket, std::string text) {
  co_return co_await socket.send(as_bytes(text));
}

// Echoes everything until the end. BORROWS: the socket, until it is over.
inline Task<Result<void>> echo(Socket& socket) {
  for (;;) {
    auto lent = co_await socket.receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return co_await socket.shutdown();
    if (auto sent = co_await socket.send(lent->bytes()); !sent) {
      co_return fail(std::move(sent).error());
    }
  }
}

}  // namespace gossamer::async
