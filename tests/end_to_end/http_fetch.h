// An HTTP client for end-to-end tests that may connect to this machine, and complete fetches.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "async/timeout.h"
#include "http/body.h"
#include "http/client.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "net/tls_context.h"
#include "tests/support/patience.h"

namespace gossamer::http {

// A resolver without names. Tests that use it only connect to addresses, or leave names to a proxy.
class NoNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names");
  }
};

// A client with everything it borrows. REQUIRES: destroyed on its loop, after its responses.
struct LocalClient {
  explicit LocalClient(ClientOptions options = {}, std::shared_ptr<net::TlsContext> tls = nullptr)
      : connector(names, net::AddressGuard({.allow_private = true})),
        client(connector, std::move(tls), std::move(options)) {}

  // True if no connection is leased: every one was returned or closed.
  bool has_all_back() const { return client.pool().open() == client.pool().idle(); }

  NoNames names;
  net::Connector connector;
  Client client;
};

inline std::shared_ptr<net::TlsContext> trusting(const std::string& ca_file,
                                                 net::TlsOptions options = {}) {
  options.trust_system = false;
  options.ca_file = ca_file;
  return std::move(net::TlsContext::make(std::move(options)).value());
}

struct Fetched {
  int status = 0;
  wire::ResponseHead head;
  std::string body;  // decoded
  std::uint64_t body_bytes = 0;
  std::optional<Error> trouble;  // of the body
  bool is_complete = false;      // by its framing
  ExchangeFacts facts;
  std::optional<net::TlsFacts> tls;

  // True if the body is complete and decoded.
  bool is_whole() const { return is_complete && !trouble; }
  std::string_view field(std::string_view name) const { return head.find(name).value_or(""); }
};

struct FetchOptions {
  std::string method = "GET";
  std::vector<Field> fields = {};
  std::optional<std::string> body = std::nullopt;
  wire::DecodeLimits limits = {};
};

inline Request make_request(const std::string& url, const FetchOptions& options) {
  auto parsed = url::Url::parse(url);
  EXPECT_TRUE(parsed) << url;
  return {.method = options.method,
          .url = std::move(*parsed),
          .fields = options.fields,
          .body = options.body};
}

// BORROWS: the client.
inline async::Task<Result<Fetched>> fetch_in_any_time(Client& client, std::string url,
                                                      FetchOptions options) {
  const Request request = make_request(url, options);
  auto response = co_await client.send(request);
  if (!response) co_return fail(std::move(response).error());
  Fetched fetched = {.status = response->status(), .head = response->head()};
  wire::WholeDecoder decoder;
  WholeBody body = co_await read_whole(*response, decoder, options.limits);
  fetched.body = std::move(body.bytes);
  fetched.trouble = std::move(body.trouble);
  fetched.body_bytes = response->body_bytes();
  fetched.is_complete = response->is_complete();
  fetched.facts = response->facts();
  fetched.tls = response->tls_facts();
  co_return fetched;
}

// For servers that answer immediately or never: a slow fetch has hung. BORROWS: the client.
inline async::Task<Result<Fetched>> fetch(Client& client, std::string url,
                                          FetchOptions options = {}) {
  auto fetched = co_await async::with_timeout(support::kPatience,
                                              fetch_in_any_time(client, url, std::move(options)));
  EXPECT_TRUE(fetched || fetched.error() != Errc::timed_out) << url << " hangs";
  co_return fetched;
}

// Fetches one page; fails the test if it is incomplete. BORROWS: the client.
inline async::Task<Fetched> fetch_whole(Client& client, std::string url,
                                        FetchOptions options = {}) {
  auto fetched = co_await fetch(client, url, std::move(options));
  if (!fetched) {
    ADD_FAILURE() << url << ": " << fetched.error().to_string();
    co_return Fetched{};
  }
  EXPECT_TRUE(fetched->is_whole())
      << url << ": " << (fetched->trouble ? fetched->trouble->to_string() : "not complete");
  co_return std::move(*fetched);
}

inline FetchOptions with_field(std::string name, std::string value) {
  FetchOptions options;
  options.fields.push_back({std::move(name), std::move(value)});
  return options;
}

}  // namespace gossamer::http
