// Our client and OpenSSL's server, with the bytes between them moved by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/chunk.h"
#include "net/tls_session.h"
#include "tests/support/tls_test_server.h"

namespace gossamer::net {

// An authority and a server with its certificate.
struct TestWorld {
  TestIdentity authority = make_authority();
  TestIdentity identity = make_identity({}, &authority);
  TestFile ca_file{authority.certificate_pem()};

  TlsOptions options() const { return {.trust_system = false, .ca_file = ca_file.path()}; }
  std::shared_ptr<TlsContext> context() const { return context(options()); }
  static std::shared_ptr<TlsContext> context(TlsOptions options) {
    auto made = TlsContext::make(std::move(options));
    EXPECT_TRUE(made) << made.error().to_string();
    return made ? std::move(*made) : nullptr;
  }
};

inline TlsPeer test_peer() { return {.server_name = "server.example", .session_key = "origin"}; }

class Conversation {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  Conversation(TestServer& server, std::shared_ptr<TlsContext> context, TlsPeer peer = test_peer())
      : server_(server) {
    auto made = TlsSession::client(std::move(context), peer);
    EXPECT_TRUE(made) << made.error().to_string();
    client_ = std::move(*made);
  }

  TlsSession& client() { return *client_; }
  TestServerSession& server() { return server_; }

  // The client gets at most `piece` bytes per call and `budget` in total.
  Conversation& in_pieces_of(std::size_t piece) {
    piece_ = piece;
    return *this;
  }
  Conversation& cut_after(std::size_t budget) {
    budget_ = budget;
    return *this;
  }
  std::size_t carried() const { return carried_; }

  // True: complete on both sides. False: the client waits for missing bytes.
  Result<bool> handshake() {
    auto client_done = client_->handshake({});
    while (client_done) {
      auto server_done = server_.handshake(client_output());
      if (*client_done) {
        if (!server_done) return fail(std::move(server_done).error());
        return *server_done;
      }
      const std::string answer = within_budget(server_.take_output());
      if (answer.empty()) return false;
      for (std::string_view left = answer; !left.empty() && client_done;) {
        client_done = client_->handshake(as_bytes(cut(left)));
      }
    }
    const auto told = server_.handshake(client_output());  // the alert
    server_says_ = told ? "" : std::string(told.error().detail());
    return fail(std::move(client_done).error());
  }
  // The server's error after the client's alert.
  const std::string& server_says() const { return server_says_; }

  // What the client reads of the server's data.
  Result<std::string> client_reads() {
    const std::string bytes = within_budget(server_.take_output());
    std::string text;
    std::vector<std::byte> room(room_);
    std::string_view left = bytes;
    while (!client_->ended() && (client_->has_more() || !left.empty())) {
      const std::string_view piece = client_->has_more() ? std::string_view() : cut(left);
      auto decrypted = client_->decrypt(as_bytes(piece), room);
      if (!decrypted) return fail(std::move(decrypted).error());
      text += as_text(Bytes(room).first(decrypted->size));
    }
    return text;
  }
  Conversation& with_room_for(std::size_t room) {
    room_ = room;
    return *this;
  }

  std::string client_output() {
    const std::vector<std::byte> output = client_->take_output();
    return std::string(as_text(output));
  }
  Result<std::string> server_reads() { return server_.decrypt(client_output()); }

 private:
  std::string within_budget(std::string bytes) {
    bytes.resize(std::min(bytes.size(), budget_ - carried_));
    carried_ += bytes.size();
    return bytes;
  }

  // Removes the next piece from the front.
  std::string_view cut(std::string_view& left) const {
    const std::string_view piece = left.substr(0, piece_);
    left.remove_prefix(piece.size());
    return piece;
  }

  TestServerSession server_;
  std::unique_ptr<TlsSession> client_;
  std::string server_says_;
  std::size_t piece_ = kAll;
  std::size_t budget_ = kAll;
  std::size_t room_ = PlainBlock::kBytes;
  std::size_t carried_ = 0;
};

}  // namespace gossamer::net
