// Measures TLS, compared with OpenSSL alone: fresh and resumed handshakes, bulk data, and the
// memory of a connection that waits for its first byte.
#include <fmt/format.h>
#include <malloc.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "bench/http/benchmarks.h"
#include "bench/http/tls_peer.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/support/temporary_folder.h"
#include "net/chunk.h"
#include "net/stream.h"
#include "net/tls_session.h"

namespace gossamer::bench {

namespace {

using Side = TlsPeerEngine::Side;

std::shared_ptr<net::TlsContext> context_for(const TlsIdentity& identity) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/authority.pem";
  std::ofstream(file) << identity.authority_pem();
  auto context = net::TlsContext::make({.trust_system = false, .ca_file = file});
  CHECK(context, "{}", context.error().to_string());
  return std::move(*context);
}

std::string text_of(const std::vector<std::byte>& bytes) { return std::string(as_text(bytes)); }

// Adds the time of the client's part.
template <class Step>
auto timed(double& client_ns, Step step) {
  const double begin = process_cpu_ns();
  auto result = step();
  client_ns += process_cpu_ns() - begin;
  return result;
}

// Our client's part of one handshake and of the tickets that follow.
double handshake_ns(const TlsIdentity& identity, const std::shared_ptr<net::TlsContext>& context,
                    bool resumes) {
  double ns = 0;
  TlsPeerEngine server(identity, Side::server);
  const net::TlsPeer peer = {.server_name = TlsIdentity::kName,
                             .session_key = resumes ? "origin" : ""};
  auto client =
      timed(ns, [&] { return std::move(net::TlsSession::client(context, peer).value()); });
  bool done = timed(ns, [&] { return client->handshake({}).value(); });
  while (!done) {
    server.handshake(text_of(client->take_output()));
    const std::string answer = server.take_output();
    done = timed(ns, [&] { return client->handshake(as_bytes(answer)).value(); });
  }
  server.handshake(text_of(client->take_output()));
  const std::string tickets = server.take_output();
  std::vector<std::byte> room(1000);
  timed(ns, [&] { return client->decrypt(as_bytes(tickets), room).value().size; });
  timed(ns, [&] {
    client.reset();
    return 0;
  });
  return ns;
}

// The same with OpenSSL alone.
double bare_handshake_ns(const TlsIdentity& identity, SSL_SESSION*& session, bool resumes) {
  double ns = 0;
  TlsPeerEngine server(identity, Side::server);
  auto client = timed(ns, [&] { return std::make_unique<TlsPeerEngine>(identity, Side::client); });
  if (resumes && session != nullptr) {
    client->resume(session);
    SSL_SESSION_free(std::exchange(session, nullptr));
  }
  bool done = timed(ns, [&] { return client->handshake(""); });
  while (!done) {
    server.handshake(client->take_output());
    const std::string answer = server.take_output();
    done = timed(ns, [&] { return client->handshake(answer); });
  }
  server.handshake(client->take_output());
  const std::string tickets = server.take_output();
  std::vector<std::byte> room(1000);
  timed(ns, [&] { return client->decrypt(tickets, room); });
  if (resumes) session = client->session();
  timed(ns, [&] {
    client.reset();
    return 0;
  });
  return ns;
}

void measure_handshakes(const Options& options, Report& report, const TlsIdentity& identity,
                        bool resumes) {
  const auto context = context_for(identity);
  const std::size_t each = options.quick ? 20 : 200;
  SSL_SESSION* session = nullptr;
  const auto samples = in_turns(options.quick ? 1 : 5, 2, [&](std::size_t contestant) {
    double ns = 0;
    for (std::size_t i = 0; i < each; ++i) {
      ns += contestant == 0 ? handshake_ns(identity, context, resumes)
                            : bare_handshake_ns(identity, session, resumes);
    }
    return ns / static_cast<double>(each);
  });
  SSL_SESSION_free(session);
  const double ours = median(samples[0]);
  const double bare = median(samples[1]);
  const char* const kind = resumes ? "resumed" : "fresh";
  report.heading(
      fmt::format("{} handshakes per CPU second of the client: {:.0f} (OpenSSL alone {:.0f})", kind,
                  1e9 / ours, 1e9 / bare));
  report.add({.name = fmt::format("tls: {} handshake, client's CPU", kind),
              .value = ours / 1000,
              .unit = "us",
              .floor = bare / 1000,
              .target = bare / 1000 * 1.1});
}

void measure_bulk(const Options& options, Report& report, const TlsIdentity& identity) {
  const auto context = context_for(identity);
  TlsPeerEngine server(identity, Side::server);
  auto client =
      std::move(net::TlsSession::client(context, {.server_name = TlsIdentity::kName}).value());
  CHECK(!client->handshake({}).value());
  server.handshake(text_of(client->take_output()));
  CHECK(client->handshake(as_bytes(server.take_output())).value());
  server.handshake(text_of(client->take_output()));

  TlsPeerEngine bare_server(identity, Side::server);
  TlsPeerEngine bare(identity, Side::client);
  bare.handshake("");
  bare_server.handshake(bare.take_output());
  CHECK(bare.handshake(bare_server.take_output()));
  bare_server.handshake(bare.take_output());

  const std::string plain(1 << 20, 'x');
  constexpr std::size_t kPiece = 64 * 1024;  // the size of a lent buffer
  std::vector<std::byte> room(net::PlainBlock::kBytes);
  const auto samples = in_turns(options.quick ? 1 : 5, 2, [&](std::size_t contestant) {
    double ns = 0;
    for (int round = 0; round < (options.quick ? 4 : 40); ++round) {
      TlsPeerEngine& sender = contestant == 0 ? server : bare_server;
      sender.encrypt(plain);
      const std::string cipher = sender.take_output();
      timed(ns, [&] {
        for (std::size_t at = 0; at < cipher.size(); at += kPiece) {
          const auto piece = std::string_view(cipher).substr(at, kPiece);
          if (contestant == 0) {
            CHECK(client->decrypt(as_bytes(piece), room));
          } else {
            bare.decrypt(piece, room);
          }
        }
        return 0;
      });
    }
    return ns / (options.quick ? 4 : 40);
  });
  const double ours = median(samples[0]);
  const double bare_ns = median(samples[1]);
  report.heading(fmt::format("decrypting: {:.0f} MB/s (OpenSSL alone {:.0f})", 1048.576e6 / ours,
                             1048.576e6 / bare_ns));
  report.add({.name = "tls: decrypt 1 MiB",
              .value = ours / 1000,
              .unit = "us",
              .floor = bare_ns / 1000,
              .target = bare_ns / 1000 * 1.1});
}

// Connections that wait for their first byte, and the server's ends without its TLS.
struct Waiting {
  const TlsIdentity& identity;
  std::shared_ptr<net::TlsContext> context;
  std::vector<async::Socket> server_ends;
  std::size_t waiting = 0;
};

// BORROWS: both, which outlive the scope this runs in.
async::Task<Result<void>> accept_one(async::Listener& listener, Waiting& all) {
  auto socket = co_await listener.accept();
  if (!socket) co_return fail(std::move(socket).error());
  auto server = std::make_unique<TlsPeerEngine>(all.identity, Side::server);
  for (bool done = false; !done;) {
    auto lent = co_await socket->receive();
    if (!lent) co_return fail(std::move(lent).error());
    done = server->handshake(as_text(lent->bytes()));
    *lent = async::Lent();
    const std::string output = server->take_output();
    if (output.empty()) continue;
    if (auto sent = co_await socket->send(as_bytes(output)); !sent) co_return sent;
  }
  all.server_ends.push_back(std::move(*socket));
  co_return Result<void>();
}

// BORROWS: the crowd.
async::Task<Result<void>> wait_for_a_byte(Waiting& all, net::Stream stream) {
  ++all.waiting;
  auto chunk = co_await stream.receive();
  co_return Result<void>();
}

// BORROWS: both.
async::Task<Result<void>> connect_one(Waiting& all, async::Scope& scope, async::Endpoint server,
                                      std::string key) {
  auto socket = co_await async::Socket::connect(server);
  if (!socket) co_return fail(std::move(socket).error());
  auto stream = co_await net::tls_client_handshake(
      std::move(*socket), all.context,
      {.server_name = TlsIdentity::kName, .session_key = std::move(key)});
  if (!stream) co_return fail(std::move(stream).error());
  scope.spawn(wait_for_a_byte(all, std::move(*stream)));
  co_return Result<void>();
}

// Bytes of heap per connection. BORROWS: the crowd.
async::Task<Result<double>> bytes_each(Waiting& all, std::size_t count, std::string key) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  all.server_ends.reserve(2 * count + 8);
  async::Scope scope(async::OnFailure::keep_going);
  double before = 0;
  for (std::size_t i = 0; i < count + 8; ++i) {
    if (i == 8) before = static_cast<double>(mallinfo2().uordblks);  // the pools are warm
    auto served = scope.spawn(accept_one(*listener, all));
    auto connected = scope.spawn(connect_one(all, scope, listener->endpoint(), key));
    auto both = co_await served;
    if (both) both = co_await connected;
    if (!both) {
      scope.cancel();
      static_cast<void>(co_await scope.join());
      co_return fail(std::move(both).error());
    }
  }
  static_cast<void>(co_await async::sleep(50ms));  // the tickets arrive
  const double after = static_cast<double>(mallinfo2().uordblks);
  scope.cancel();
  static_cast<void>(co_await scope.join());
  all.server_ends.clear();  // while there is a loop
  co_return (after - before) / static_cast<double>(count);
}

void measure_waiting(const Options& options, Report& report, const TlsIdentity& identity) {
  const std::size_t count = options.quick ? 50 : 1000;
  for (const bool resumes : {false, true}) {
    Waiting all{.identity = identity, .context = context_for(identity)};
    async::Loop loop;
    const auto each = loop.run(bytes_each(all, count, resumes ? "origin" : ""));
    CHECK(each, "{}", each.error().to_string());
    report.add({.name = fmt::format("tls: waiting connection, {}", resumes ? "resumed" : "fresh"),
                .value = *each,
                .unit = "bytes"});
  }
}

}  // namespace

void tls(const Options& options, Report& report) {
  const TlsIdentity identity;
  measure_handshakes(options, report, identity, false);
  measure_handshakes(options, report, identity, true);
  measure_bulk(options, report, identity);
  measure_waiting(options, report, identity);
}

}  // namespace gossamer::bench
