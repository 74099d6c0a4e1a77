// For tests: an HTTP/2 server without TLS whose frames are written by hand.
#pragma once

#include <nghttp2/nghttp2.h>
#include <tests/support/http2_frames.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/mutex.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::http2 {

struct Asked {
  std::size_t connection = 0;  // its number, from 1
  std::uint32_t stream = 0;
  std::string method;
  std::string path;
  std::vector<std::string> fields;  // "name: value"
};

struct Reply {
  std::string bytes;                  // frames
  Duration delay = Duration::zero();  // before them
  bool closes = false;                // and then closes the connection
  bool resets = false;                // the same with a reset; the server must rest meanwhile
  std::size_t piece = 0;              // the size of pieces; 0: one piece
  Duration between = Duration::zero();
  Duration rest = Duration::zero();  // the server then reads nothing for this time
};

class TestServer {
 public:
  using Answers = std::function<Reply(const Asked&)>;

  // `greeting` is sent first: usually settings().
  explicit TestServer(Answers answers, std::string greeting = settings())
      : answers_(std::move(answers)), greeting_(std::move(greeting)) {}

  // REQUIRES: runs on a loop.
  Result<void> listen(const async::Endpoint& at = async::Endpoint::loopback(0)) {
    auto listener = async::Listener::bind(at);
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    listener_.emplace(std::move(*listener));
    return {};
  }
  std::uint16_t port() const { return port_; }

  // Runs until it is cancelled. BORROWS: the server.
  async::Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    while (auto socket = co_await listener_->accept()) {
      ++connections;
      scope.spawn(serve(std::move(*socket), connections));
    }
    listener_.reset();
    scope.cancel();
    co_return co_await scope.join();
  }

  std::size_t connections = 0;
  std::vector<Asked> asked;
  std::vector<Frame> frames;  // from all clients

 private:
  struct Peer {
    async::Socket socket;
    async::Mutex sending;
    std::size_t number = 0;
    bool is_open = true;
    nghttp2_hd_inflater* inflater = nullptr;
  };

  async::Task<Result<void>> serve(async::Socket socket, std::size_t number) {
    Peer peer = {.socket = std::move(socket), .sending = {}, .number = number};
    nghttp2_hd_inflate_new(&peer.inflater);
    async::Scope replies(async::OnFailure::keep_going);
    replies.spawn(send(peer, {.bytes = greeting_}));
    std::string bytes;
    while (peer.is_open) {
      auto lent = co_await peer.socket.receive();
      if (!lent || lent->end()) break;
      bytes += as_text(lent->bytes());
      Duration rest = Duration::zero();
      for (Frame& frame : take_frames(bytes)) {
        frames.push_back(frame);
        if (frame.type == Type::settings && !frame.has(kAck)) {
          replies.spawn(send(peer, {.bytes = settings_ack()}));
        }
        if (frame.type != Type::headers) continue;
        asked.push_back(read(peer, frame));
        Reply reply = answers_(asked.back());
        rest = std::max(rest, reply.rest);
        replies.spawn(send(peer, std::move(reply)));
      }
      if (rest > Duration::zero()) static_cast<void>(co_await async::sleep(rest));
    }
    replies.cancel();
    static_cast<void>(co_await replies.join());
    nghttp2_hd_inflate_del(peer.inflater);
    co_return {};
  }

  static Asked read(const Peer& peer, const Frame& frame) {
    Asked asked = {.connection = peer.number, .stream = frame.stream};
    const auto* at = reinterpret_cast<const std::uint8_t*>(frame.payload.data());
    std::size_t left = frame.payload.size();
    for (;;) {
      nghttp2_nv field = {};
      int flags = 0;
      const ssize_t used = nghttp2_hd_inflate_hd2(peer.inflater, &field, &flags, at, left, 1);
      if (used < 0) break;
      at += used;
      left -= static_cast<std::size_t>(used);
      if ((flags & NGHTTP2_HD_INFLATE_EMIT) != 0) {
        const std::string name(reinterpret_cast<const char*>(field.name), field.namelen);
        const std::string value(reinterpret_cast<const char*>(field.value), field.valuelen);
        if (name == ":method") asked.method = value;
        if (name == ":path") asked.path = value;
        asked.fields.push_back(name + ": " + value);
      }
      if ((flags & NGHTTP2_HD_INFLATE_FINAL) != 0) break;
    }
    nghttp2_hd_inflate_end_headers(peer.inflater);
    return asked;
  }

  // BORROWS: the peer.
  static async::Task<Result<void>> send(Peer& peer, Reply reply) {
    if (reply.delay > Duration::zero()) {
      if (auto slept = co_await async::sleep(reply.delay); !slept) co_return slept;
    }
    auto lock = co_await peer.sending.lock();
    if (!lock) co_return fail(std::move(lock).error());
    Bytes rest = as_bytes(reply.bytes);
    while (!rest.empty() && peer.is_open) {
      const Bytes piece =
          rest.first(reply.piece == 0 ? rest.size() : std::min(rest.size(), reply.piece));
      rest = rest.subspan(piece.size());
      if (auto sent = co_await peer.socket.send(piece); !sent) co_return sent;
      if (reply.between > Duration::zero()) {
        if (auto slept = co_await async::sleep(reply.between); !slept) co_return slept;
      }
    }
    if (reply.resets) {
      peer.is_open = false;
      peer.socket.close();  // with unread bytes of the client
      co_return {};
    }
    if (reply.closes) {
      peer.is_open = false;
      co_return co_await peer.socket.shutdown();
    }
    co_return {};
  }

  Answers answers_;
  std::string greeting_;
  std::uint16_t port_ = 0;
  std::optional<async::Listener> listener_;
};

}  // namespace gossamer::http2
