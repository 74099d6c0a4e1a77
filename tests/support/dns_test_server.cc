#include "tests/support/dns_test_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <optional>
#include <span>

#include "base/check.h"

namespace gossamer::net {

namespace {

constexpr int kPollMilliseconds = 20;
constexpr int kTriesForAPort = 50;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool bind_to(int descriptor, std::uint16_t port) {
  const sockaddr_in address = loopback(port);
  return bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

std::uint16_t port_of(int descriptor) {
  sockaddr_in address = {};
  socklen_t size = sizeof(address);
  CHECK(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

std::uint16_t number_at(const std::string& bytes, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                                    static_cast<unsigned char>(bytes[at + 1]));
}

std::optional<DnsQuestion> read_question(const std::string& message) {
  if (message.size() < 17) return std::nullopt;
  DnsQuestion question = {.id = number_at(message, 0)};
  std::size_t at = 12;
  while (at < message.size() && message[at] != 0) {
    const auto length = static_cast<unsigned char>(message[at]);
    if (at + 1 + length >= message.size()) return std::nullopt;
    if (!question.name.empty()) question.name += '.';
    for (std::size_t i = 0; i < length; ++i) {
      question.name += static_cast<char>(std::tolower(message[at + 1 + i]));
    }
    at += length + 1u;
  }
  if (at + 3 > message.size()) return std::nullopt;
  question.type = number_at(message, at + 1);
  return question;
}

}  // namespace

DnsTestServer::DnsTestServer(Answer answer, std::uint16_t wanted) : answer_(std::move(answer)) {
  // A port that is free for UDP may be taken for TCP.
  for (int i = 0; i < kTriesForAPort && port_ == 0; ++i) {
    datagrams_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(datagrams_ >= 0 && listener_ >= 0 && bind_to(datagrams_, wanted));
    const int buffer = 4 << 20;
    setsockopt(datagrams_, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
    const std::uint16_t port = port_of(datagrams_);
    if (bind_to(listener_, port) && listen(listener_, 64) == 0) {
      port_ = port;
    } else {
      close(datagrams_);
      close(listener_);
    }
  }
  CHECK(port_ != 0, "no port is free");
  thread_ = std::thread([this] { serve(); });
}

DnsTestServer::~DnsTestServer() {
  stops_ = true;
  thread_.join();
  for (const auto& [connection, received] : connections_) close(connection);
  close(datagrams_);
  close(listener_);
}

void DnsTestServer::serve() {
  while (!stops_) {
    std::vector<pollfd> descriptors = {{.fd = datagrams_, .events = POLLIN, .revents = 0},
                                       {.fd = listener_, .events = POLLIN, .revents = 0}};
    for (const auto& [connection, received] : connections_) {
      descriptors.push_back({.fd = connection, .events = POLLIN, .revents = 0});
    }
    if (poll(descriptors.data(), descriptors.size(), kPollMilliseconds) <= 0) continue;
    if (descriptors[0].revents != 0) serve_datagram();
    if (descriptors[1].revents != 0) accept_connection();
    for (const pollfd& each : std::span(descriptors).subspan(2)) {
      if (each.revents == 0 || serve_connection(each.fd, connections_[each.fd])) continue;
      close(each.fd);
      connections_.erase(each.fd);
    }
  }
}

std::vector<std::string> DnsTestServer::answers_to(const std::string& message, bool is_tcp) {
  auto question = read_question(message);
  if (!question) return {};
  question->is_tcp = is_tcp;
  question->number = ++questions_;
  if (is_tcp) ++questions_over_tcp_;
  return answer_(*question);
}

void DnsTestServer::serve_datagram() {
  std::string message(4096, '\0');
  sockaddr_in peer = {};
  socklen_t peer_size = sizeof(peer);
  const ssize_t size = recvfrom(datagrams_, message.data(), message.size(), 0,
                                reinterpret_cast<sockaddr*>(&peer), &peer_size);
  if (size <= 0) return;
  message.resize(static_cast<std::size_t>(size));
  for (const std::string& answer : answers_to(message, false)) {
    sendto(datagrams_, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&peer),
           peer_size);
  }
}

void DnsTestServer::accept_connection() {
  const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection >= 0) connections_[connection] = {};
}

// Answers the questions that have arrived. Returns false if the client has closed.
bool DnsTestServer::serve_connection(int connection, std::string& received) {
  std::array<char, 4096> bytes;
  const ssize_t size = recv(connection, bytes.data(), bytes.size(), 0);
  if (size <= 0) return false;
  received.append(bytes.data(), static_cast<std::size_t>(size));
  while (received.size() >= 2 && received.size() >= 2u + number_at(received, 0)) {
    const std::string message = received.substr(2, number_at(received, 0));
    received.erase(0, 2 + message.size());
    for (const std::string& answer : answers_to(message, true)) {
      const std::string framed = {static_cast<char>(answer.size() >> 8),
                                  static_cast<char>(answer.size())};
      const std::string whole = framed + answer;
      if (send(connection, whole.data(), whole.size(), MSG_NOSIGNAL) < 0) return false;
    }
  }
  return true;
}

}  // namespace gossamer::net
