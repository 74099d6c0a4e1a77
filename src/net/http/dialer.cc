#include "http/dialer.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/timeout.h"
#include "http/http1_connection.h"
#include "http/http2_connection.h"
#include "http/tunnel.h"

namespace gossamer::http {
namespace {

// A host contains no spaces, and the other parts are preceded by their length, so no two
// destinations have one key.
void append_key(bool is_tls, std::string_view host, std::uint16_t port, const Proxy* proxy,
                const std::string& identity, std::string& key) {
  key += is_tls ? "https " : "http ";
  key += host;
  key += ' ';
  key += std::to_string(port);
  const auto add = [&key](char kind, const std::string& part) {
    key += ' ';
    key += kind;
    key += std::to_string(part.size());
    key += ' ';
    key += part;
  };
  if (proxy != nullptr) add('p', proxy->key());
  if (!identity.empty()) add('i', identity);
}

}  // namespace

Destination Destination::of(const url::Url& url, const Proxy* proxy) {
  return {.host = std::string(url.hostname()),
          .port = url.effective_port(),
          .is_tls = url.scheme_kind() == url::SchemeKind::https,
          .proxy = proxy};
}

std::string Destination::key(const std::string& identity) const {
  std::string key;
  append_key(is_tls, host, port, proxy, identity, key);
  return key;
}

void write_key(const url::Url& url, const Proxy* proxy, const std::string& identity,
               std::string& key) {
  key.clear();
  append_key(url.scheme_kind() == url::SchemeKind::https, url.hostname(), url.effective_port(),
             proxy, identity, key);
}

async::Task<Result<net::Stream>> Dialer::shake_hands(async::Socket socket, Destination to,
                                                     std::optional<Version> version) {
  if (to.is_through_tunnel()) {
    auto opened = co_await open_tunnel(socket, *to.proxy, to.host, to.port);
    if (!opened) co_return fail(std::move(opened).error());
  }
  if (!to.is_tls) co_return net::Stream(std::move(socket));
  net::TlsPeer peer = {.server_name = to.host, .session_key = to.key({})};
  if (version) peer.alpn = *version == Version::http2 ? "h2" : "http/1.1";
  co_return co_await net::tls_client_handshake(std::move(socket), tls_, std::move(peer));
}

net::ConnectRequest Dialer::request_for(const Destination& to) const {
  net::ConnectRequest request = {.host = to.proxy == nullptr ? to.host : to.proxy->host,
                                 .port = to.proxy == nullptr ? to.port : to.proxy->port,
                                 .addresses = {},
                                 .source = {},
                                 .is_configured = to.proxy != nullptr};
  const auto known = known_.find(request.host + ":" + std::to_string(request.port));
  if (known != known_.end()) request.addresses = known->second;
  return request;
}

async::Task<Result<std::unique_ptr<Connection>>> Dialer::dial(Destination to,
                                                              std::optional<Version> version,
                                                              Instant deadline) {
  async::Loop& loop = async::Loop::current();
  if (to.proxy != nullptr) {
    // The guard cannot see where the proxy connects, so it checks the name.
    auto allowed = connector_.guard().check_for_proxy(to.host, to.port);
    if (!allowed) co_return fail(std::move(allowed).error(), "through " + to.proxy->to_string());
  }
  auto connected = co_await async::with_deadline(deadline, connector_.connect(request_for(to)));
  if (!connected) {
    const std::string step =
        to.proxy == nullptr ? "" : "while connecting to the proxy " + to.proxy->to_string();
    if (connected.error() == Errc::timed_out && connected.error().detail().empty()) {
      Error late(Errc::timed_out,
                 "connect " + to.host + ": the time limit for the whole request passed");
      co_return fail(std::move(late), step);
    }
    co_return fail(std::move(connected).error(), step);
  }

  const Instant begun = loop.now();
  const Duration limit = options_.deadlines.handshake;
  auto stream =
      co_await async::with_deadline(std::min(deadline, base::add_saturating(begun, limit)),
                                    shake_hands(std::move(connected->socket), to, version));
  if (!stream) {
    const std::string step = "while connecting to " + to.host;
    if (stream.error() == Errc::timed_out && stream.error().detail().empty()) {
      co_return fail(Error(Errc::timed_out, "no handshake within " + base::to_string(limit)), step);
    }
    co_return fail(std::move(stream).error(), step);
  }
  const ConnectionFacts facts = {.remote = connected->peer,
                                 .dns_from_cache = connected->dns_from_cache,
                                 .is_tls = to.is_tls,
                                 .dns = connected->dns_took,
                                 .connect = connected->connect_took,
                                 .handshake = loop.now() - begun};
  const bool is_http2 = to.is_tls ? stream->alpn() == "h2" : version == Version::http2;
  co_return is_http2 ? std::make_unique<Http2Connection>(std::move(*stream), facts, options_)
                     : make_http1_connection(std::move(*stream), facts, options_);
}

}  // namespace gossamer::http
