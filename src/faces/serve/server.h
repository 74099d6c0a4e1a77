// `gossamer serve`: the dashboard and the replay server of some archives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "serve/crawl_starter.h"
#include "settings/cluster_settings.h"

namespace gossamer::serve {

struct ServeSettings {
  std::vector<std::string> paths;  // crawl directories, WARC, ARC and WACZ files
  // Where to listen; empty: 127.0.0.1 and ::1. Ports of 0 are any free ones.
  std::optional<async::Endpoint> address = {};
  std::uint16_t port = 0;
  std::uint16_t replay_port = 0;
  std::vector<std::string> hosts = {};  // further names in the Host field
  std::string token = {};               // empty: a random one
  std::vector<std::string> control_sockets = {};
  std::vector<run::ClusterSettings> clusters = {};  // shared crawls to show
  std::vector<std::string> indexes = {};  // search indexes besides those of crawl directories
  bool allows_scripts = false;
  // The browser may start crawls in new folders of this directory. Crawl directories that are there
  // are served, too. Empty: it starts none.
  std::string new_folder = {};
  CrawlStarter* starter = nullptr;  // starts them; BORROWS: for the life of the server
};

// Fails with Errc::invalid_argument if the token is too short or has other signs than letters,
// digits, '-' and '_'.
Result<void> check_token(const std::string& token);

class Server {
 public:
  // Opens the archives and binds the ports. Fails with a detail for the user.
  // REQUIRES: runs on a loop.
  static Result<std::unique_ptr<Server>> open(ServeSettings settings);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The address for the user's browser, with the token.
  std::string address() const;
  // The address of replayed pages: append "/latest/URL".
  std::string replay_address() const;
  // Serves until it is cancelled; then fails with Errc::cancelled. BORROWS: this.
  async::Task<Result<void>> run();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::serve
