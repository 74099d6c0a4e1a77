#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "async/task.h"
#include "base/random.h"
#include "base/result.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "net/stream.h"
#include "net/tls_context.h"
#include "render/browser_pipe.h"
#include "render/websocket.h"

namespace gossamer::render {

// Connects to a browser of the user's own, over a WebSocket. Nothing keeps that browser from the
// network but the requests that it lets us answer.
class WebSocketLauncher final : public BrowserLauncher {
 public:
  // REQUIRES: the URL is one of parse_websocket_url(). `tls` is for wss. BORROWS: the resolver.
  WebSocketLauncher(const std::string& url, net::Resolver& resolver, net::TlsOptions tls,
                    std::uint64_t seed);

  Result<void> check() override { return {}; }
  // Fails as net::Connector does, and with Errc::malformed if the server is no browser.
  async::Task<Result<std::unique_ptr<BrowserPipe>>> launch(LaunchOptions options) override;

 private:
  // BORROWS: the launcher.
  async::Task<Result<net::Stream>> connect();

  const WebSocketUrl url_;
  net::Connector connector_;
  const net::TlsOptions tls_;
  base::Random random_;
};

}  // namespace gossamer::render
