// A name server with the answers of a test, on its own thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace gossamer::net {

struct DnsQuestion {
  std::uint16_t id = 0;
  std::string name;  // lower case, with dots
  std::uint16_t type = 0;
  bool is_tcp = false;
  std::uint64_t number = 0;  // counts from 1
};

// Listens on a free port of 127.0.0.1, with UDP and with TCP.
class DnsTestServer {
 public:
  // Returns the messages that answer a question; none: silence. Called on the server's thread.
  using Answer = std::function<std::vector<std::string>(const DnsQuestion&)>;

  // Listens on this port; 0: a free one.
  explicit DnsTestServer(Answer answer, std::uint16_t port = 0);
  ~DnsTestServer();
  DnsTestServer(const DnsTestServer&) = delete;
  DnsTestServer& operator=(const DnsTestServer&) = delete;

  // "127.0.0.1:5353"
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::uint16_t port() const { return port_; }
  std::uint64_t questions() const { return questions_; }
  std::uint64_t questions_over_tcp() const { return questions_over_tcp_; }

 private:
  void serve();
  void serve_datagram();
  void accept_connection();
  bool serve_connection(int connection, std::string& received);
  std::vector<std::string> answers_to(const std::string& message, bool is_tcp);

  const Answer answer_;
  int datagrams_ = -1;
  int listener_ = -1;
  std::map<int, std::string> connections_;  // with what they have received of a question
  std::uint16_t port_ = 0;
  std::atomic<bool> stops_ = false;
  std::atomic<std::uint64_t> questions_ = 0;
  std::atomic<std::uint64_t> questions_over_tcp_ = 0;
  std::thread thread_;
};

}  // namespace gossamer::net
