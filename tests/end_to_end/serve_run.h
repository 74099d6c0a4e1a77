// For tests of `gossamer serve`: the server as a process, and its API.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/patience.h"

namespace gossamer::cli {

using support::CommandRun;

// What a server answers to a request of `gossamer fetch`, with the head.
inline std::string fetched(std::vector<std::string> words) {
  words.insert(words.begin(), {"fetch", "-i", "--no-proxy"});
  CommandRun run(words);
  static_cast<void>(run.wait());
  return run.out();
}

class ServeRun {
 public:
  // Starts a server and waits until it has read its archives.
  explicit ServeRun(std::vector<std::string> words) {
    words.insert(words.begin(), "serve");
    server_ = std::make_unique<CommandRun>(words);
    support::wait_until([this] { return support::has(server_->out(), "\n"); });
    const std::string line = server_->out();
    const std::size_t mark = line.find("#token=");
    EXPECT_NE(mark, std::string::npos) << line << server_->err();
    if (mark == std::string::npos) return;
    address_ = line.substr(0, mark);
    token_ = line.substr(mark + 7, line.find('\n') - mark - 7);
    // The archives are read while the server already answers.
    support::wait_until([this] {
      const std::string archives = api("archives");
      return support::has(archives, "200 OK") && !support::has(archives, "\"reading\": true");
    });
  }

  CommandRun& process() { return *server_; }
  const std::string& address() const { return address_; }
  const std::string& token() const { return token_; }
  // The words of a request of the API for `gossamer fetch`.
  std::vector<std::string> request(const std::string& rest) const {
    return {address_ + "api/v1/" + rest, "-H", "Authorization: Bearer " + token_};
  }
  std::string api(const std::string& rest) const { return fetched(request(rest)); }
  std::string post(const std::string& rest, const std::string& body) const {
    std::vector<std::string> words = request(rest);
    words.insert(words.end(), {"-d", body, "-H", "Content-Type: application/json"});
    return fetched(words);
  }

 private:
  std::string address_;
  std::string token_;
  std::unique_ptr<CommandRun> server_;
};

}  // namespace gossamer::cli
