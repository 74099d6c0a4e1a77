#include "serve/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/thread_pool.h"
#include "base/ascii.h"
#include "captures/collection.h"
#include "run/machine/wall_clock.h"
#include "serve/cluster_crawl.h"
#include "serve/dashboard.h"
#include "serve/gate.h"
#include "serve/live.h"
#include "serve/new_crawls.h"
#include "serve/socket_crawl.h"
#include "serve/views.h"
#include "server/host_check.h"
#include "server/http_server.h"
#include "settings/random_salt.h"

namespace gossamer::serve {
namespace {

// Of the dashboard, and as many of replay, which must not keep the dashboard waiting.
constexpr std::size_t kThreads = 2;
constexpr Duration kUpdateInterval = 2s;
// The tables of a running crawl are read again after so many updates.
constexpr std::uint64_t kUpdatesPerTables = 15;
// The control socket in a crawl directory, if the user put it there.
constexpr std::string_view kControlName = "control";
constexpr std::size_t kTokenBytesMin = 32;
constexpr std::size_t kTokenBytesMax = 128;

std::string random_token() {
  return fmt::format("{:016x}{:016x}", run::random_salt(), run::random_salt());
}

async::Endpoint at(const async::Endpoint& address, std::uint16_t port) {
  async::Endpoint endpoint = address;
  endpoint.port = port;
  return endpoint;
}

// The listeners of one server.
struct Listeners {
  std::vector<async::Listener> all;
  std::uint16_t port() const { return all.front().endpoint().port; }
};

Result<Listeners> listen(const std::optional<async::Endpoint>& address, std::uint16_t port) {
  Listeners listeners;
  auto first =
      async::Listener::bind(address ? at(*address, port) : async::Endpoint::loopback(port));
  if (!first) return fail(std::move(first).error());
  listeners.all.push_back(std::move(*first));
  if (address) return listeners;
  // Some browsers try ::1 first for localhost. A machine without IPv6 does without.
  async::Endpoint six = {.family = async::Endpoint::Family::v6, .port = listeners.port()};
  six.address[15] = 1;
  if (auto second = async::Listener::bind(six)) listeners.all.push_back(std::move(*second));
  return listeners;
}

std::string host_text(const async::Endpoint& address) {
  const std::string text = address.address_text();
  return address.family == async::Endpoint::Family::v6 ? "[" + text + "]" : text;
}

// It stands for all addresses of this machine.
bool is_unspecified(const async::Endpoint& address) {
  return std::ranges::all_of(address.address, [](auto byte) { return byte == 0; });
}

// The first one is shown to the user.
std::vector<std::string> names_of(const ServeSettings& settings) {
  std::vector<std::string> names;
  if (settings.address && !is_unspecified(*settings.address)) {
    names.push_back(host_text(*settings.address));
  }
  // Browsers write names in lower case, also in Origin.
  const auto add_hosts = [&] {
    for (const std::string& host : settings.hosts) names.push_back(base::lower_case(host));
  };
  if (settings.address) add_hosts();
  std::ranges::copy(server::loopback_names(), std::back_inserter(names));
  if (!settings.address) add_hosts();
  return names;
}

// Adds the crawl directories in a folder, by name.
void add_folders_of(const std::string& parent, captures::Collection& collection) {
  std::vector<std::string> folders;
  std::error_code failure;
  if (parent.empty()) return;
  for (const auto& entry : std::filesystem::directory_iterator(parent, failure)) {
    if (entry.is_directory(failure)) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  for (const std::string& folder : folders) static_cast<void>(collection.add(folder));
}

}  // namespace

Result<void> check_token(const std::string& token) {
  const bool is_long = token.size() >= kTokenBytesMin && token.size() <= kTokenBytesMax;
  const bool is_plain = std::ranges::all_of(token, [](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '_';
  });
  if (is_long && is_plain) return {};
  return fail(Errc::invalid_argument,
              fmt::format("a token must have {} to {} letters, digits, - and _", kTokenBytesMin,
                          kTokenBytesMax));
}

struct Server::State {
  State(std::unique_ptr<captures::Collection> opened, ServeSettings settings, ServerFacts known,
        Listeners of_dashboard, Listeners of_replay)
      : collection(std::move(opened)),
        search(*collection, std::move(settings.indexes)),
        facts(std::move(known)),
        dashboard_listeners(std::move(of_dashboard)),
        replay_listeners(std::move(of_replay)),
        new_crawls(std::move(settings.new_folder), settings.starter, *collection, crawls, threads) {
  }

  // Keeps the index of the captures current. BORROWS: this.
  async::Task<Result<void>> update() {
    for (std::uint64_t i = 0;; ++i) {
      const bool has_tables = i % kUpdatesPerTables == 0;
      auto done = co_await updating.run([this, has_tables] { collection->update(has_tables); });
      if (!done) co_return done;
      if (auto slept = co_await async::sleep(kUpdateInterval); !slept) co_return slept;
    }
  }

  // A thread that reads archives ends only if it is told to. BORROWS: this.
  async::Task<Result<void>> stop_reading() {
    for (;;) {
      auto slept = co_await async::sleep(1h);
      if (slept) continue;
      collection->stop();
      co_return slept;
    }
  }

  std::unique_ptr<captures::Collection> collection;
  Search search;
  ServerFacts facts;
  Listeners dashboard_listeners;
  Listeners replay_listeners;
  Views views;
  std::vector<std::unique_ptr<LiveCrawl>> crawls;
  async::ThreadPool threads{kThreads};
  async::ThreadPool replay_threads{kThreads};
  async::ThreadPool updating{1};
  NewCrawls new_crawls;
  Dashboard dashboard{facts, *collection, search, views, crawls, new_crawls, threads};
  ReplayResponder replay{facts, *collection, views, replay_threads};
  server::HttpServer dashboard_server{dashboard};
  server::HttpServer replay_server{replay};
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::open(ServeSettings settings) {
  if (!settings.token.empty()) {
    if (auto good = check_token(settings.token); !good) return fail(std::move(good).error());
  }
  if (settings.address && is_unspecified(*settings.address) && settings.hosts.empty()) {
    return fail(Errc::invalid_argument,
                settings.address->address_text() +
                    " is not an address that a browser can open; name one with `host`");
  }
  auto collection = captures::Collection::open(settings.paths);
  if (!collection) return fail(std::move(collection).error());
  add_folders_of(settings.new_folder, **collection);
  auto dashboard = listen(settings.address, settings.port);
  if (!dashboard) return fail(std::move(dashboard).error());
  auto replay = listen(settings.address, settings.replay_port);
  if (!replay) return fail(std::move(replay).error());
  ServerFacts facts = {.addresses = {.names = names_of(settings),
                                     .dashboard_port = dashboard->port(),
                                     .replay_port = replay->port()},
                       .token = settings.token.empty() ? random_token() : settings.token,
                       .replay_token = random_token(),
                       .allows_scripts = settings.allows_scripts,
                       .make_token = random_token,
                       .now = run::wall_now};
  const std::vector<std::string> sockets = settings.control_sockets;
  const std::vector<run::ClusterSettings> clusters = settings.clusters;
  auto state = std::make_unique<State>(std::move(*collection), std::move(settings),
                                       std::move(facts), std::move(*dashboard), std::move(*replay));
  state->collection->read([&](const auto& archives, const auto&) {
    for (std::uint32_t i = 0; i < archives.size(); ++i) {
      const std::string socket = archives[i].path + "/" + std::string(kControlName);
      std::error_code failure;
      const bool is_there = archives[i].kind == captures::ServedArchive::Kind::job &&
                            std::filesystem::is_socket(socket, failure);
      if (is_there) state->crawls.push_back(std::make_unique<SocketCrawl>(socket, i));
    }
    return 0;
  });
  for (const std::string& socket : sockets) {
    state->crawls.push_back(std::make_unique<SocketCrawl>(socket));
  }
  for (const run::ClusterSettings& cluster : clusters) {
    state->crawls.push_back(std::make_unique<ClusterCrawl>(cluster));
  }
  state->dashboard.measure(state->dashboard_server);
  state->dashboard.measure(state->replay_server);
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::string Server::address() const {
  const Addresses& addresses = state_->facts.addresses;
  return fmt::format("{}/#token={}",
                     server::origin_of(addresses.names.front(), addresses.dashboard_port),
                     state_->facts.token);
}

std::string Server::replay_address() const {
  const Addresses& addresses = state_->facts.addresses;
  return fmt::format("{}/r/{}", server::origin_of(addresses.names.front(), addresses.replay_port),
                     state_->facts.replay_token);
}

async::Task<Result<void>> Server::run() {
  async::Scope scope;
  for (async::Listener& listener : state_->dashboard_listeners.all) {
    scope.spawn(state_->dashboard_server.run(std::move(listener)));
  }
  for (async::Listener& listener : state_->replay_listeners.all) {
    scope.spawn(state_->replay_server.run(std::move(listener)));
  }
  scope.spawn(state_->update());
  scope.spawn(state_->stop_reading());
  for (const auto& crawl : state_->crawls) scope.spawn(crawl->watch());
  scope.spawn(state_->new_crawls.watch());
  co_return co_await scope.join();
}

}  // namespace gossamer::serve
