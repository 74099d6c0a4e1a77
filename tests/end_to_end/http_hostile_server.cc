#include "tests/end_to_end/http_hostile_server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace gossamer::http {
namespace {

constexpr int kPatienceMilliseconds = 30'000;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// False when the client does not want it any more.
bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void end(int connection, Ending ending) {
  const linger abort = {.l_onoff = 1, .l_linger = 0};
  if (ending == Ending::rst) {
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &abort, sizeof(abort));
  }
  close(connection);
}

int connect_to(std::uint16_t port) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  EXPECT_EQ(connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  return connection;
}

}  // namespace

LoopbackListener::LoopbackListener() {
  EXPECT_EQ(pipe(stop_pipe_), 0);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  EXPECT_EQ(listen(listener_, 128), 0);
  port_ = ntohs(address.sin_port);
}

LoopbackListener::~LoopbackListener() {
  for (const int descriptor : {listener_, stop_pipe_[0], stop_pipe_[1]}) close(descriptor);
}

void LoopbackListener::stop() { EXPECT_EQ(write(stop_pipe_[1], "x", 1), 1); }

bool LoopbackListener::wait_readable(int a, int b) {
  std::array<pollfd, 3> wanted = {{{.fd = stop_pipe_[0], .events = POLLIN, .revents = 0},
                                   {.fd = a, .events = POLLIN, .revents = 0},
                                   {.fd = b, .events = POLLIN, .revents = 0}}};
  const int ready = poll(wanted.data(), wanted.size(), kPatienceMilliseconds);
  return ready > 0 && wanted[0].revents == 0;
}

int LoopbackListener::accept_next() {
  for (;;) {
    std::array<pollfd, 2> wanted = {{{.fd = stop_pipe_[0], .events = POLLIN, .revents = 0},
                                     {.fd = listener_, .events = POLLIN, .revents = 0}}};
    poll(wanted.data(), wanted.size(), -1);
    if (wanted[0].revents != 0) return -1;
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return connection;
  }
}

HostileServer::HostileServer(std::vector<Fault> table)
    : table_(std::move(table)), thread_([this] { serve(); }) {}

HostileServer::~HostileServer() {
  listener_.stop();
  thread_.join();
}

std::string HostileServer::url(std::size_t index) const {
  return "http://127.0.0.1:" + std::to_string(listener_.port()) + "/" + std::to_string(index);
}

void HostileServer::serve() {
  for (int connection = listener_.accept_next(); connection >= 0;
       connection = listener_.accept_next()) {
    answer(connection);
  }
}

std::string HostileServer::read_request(int connection) {
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos) {
    if (!listener_.wait_readable(connection)) return {};
    std::array<char, 4096> room;
    const ssize_t size = recv(connection, room.data(), room.size(), 0);
    if (size <= 0) return {};
    request.append(room.data(), static_cast<std::size_t>(size));
  }
  return request;
}

void HostileServer::answer(int connection) {
  const std::string request = read_request(connection);
  const std::size_t slash = request.find('/');
  if (slash == std::string::npos) return end(connection, Ending::fin);
  ++requests_;
  const Fault& fault = table_.at(std::strtoul(request.c_str() + slash + 1, nullptr, 10));
  send_all(connection, fault.bytes);
  end(connection, fault.ending);
}

CuttingRelay::CuttingRelay(std::uint16_t server_port)
    : server_port_(server_port), thread_([this] { relay(); }) {}

CuttingRelay::~CuttingRelay() {
  listener_.stop();
  thread_.join();
}

void CuttingRelay::cut_after(std::size_t bytes, Ending ending) {
  const std::lock_guard lock(mutex_);
  bytes_max_ = bytes;
  ending_ = ending;
}

std::size_t CuttingRelay::wait_for_end() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return over_ == begun_; });
  return carried_;
}

void CuttingRelay::relay() {
  for (int client = listener_.accept_next(); client >= 0; client = listener_.accept_next()) {
    std::unique_lock lock(mutex_);
    carried_ = 0;
    ++begun_;
    const std::size_t bytes_max = bytes_max_;
    const Ending ending = ending_;
    lock.unlock();
    carry(client, connect_to(server_port_), bytes_max, ending);
    lock.lock();
    ++over_;
    ended_.notify_all();
  }
}

// Closes both.
void CuttingRelay::carry(int client, int server, std::size_t bytes_max, Ending ending) {
  std::array<char, 4096> room;
  std::size_t left = bytes_max;
  listener_.wait_readable(client);  // it speaks first: nothing is cut before it is connected
  while (left > 0 && listener_.wait_readable(client, server)) {
    const ssize_t asked = recv(client, room.data(), room.size(), MSG_DONTWAIT);
    if (asked == 0) break;
    if (asked > 0) send_all(server, {room.data(), static_cast<std::size_t>(asked)});
    const ssize_t said = recv(server, room.data(), std::min(room.size(), left), MSG_DONTWAIT);
    if (said == 0) break;
    if (said < 0) continue;
    left -= static_cast<std::size_t>(said);
    if (!send_all(client, {room.data(), static_cast<std::size_t>(said)})) break;
  }
  {
    const std::lock_guard lock(mutex_);
    carried_ = bytes_max - left;
  }
  close(server);
  while (ending == Ending::silence && listener_.wait_readable(client) &&
         recv(client, room.data(), room.size(), 0) > 0) {
  }
  end(client, ending);
}

}  // namespace gossamer::http
