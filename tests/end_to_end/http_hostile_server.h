// Servers that end their connections too early, each on its own thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gossamer::http {

enum class Ending : std::uint8_t {
  fin,      // as if the response were complete
  rst,      // as if the server had crashed
  silence,  // as if the network had failed: the client must close
};

// How a connection fails: after this many bytes, in this way.
struct Fault {
  std::string bytes;
  Ending ending = Ending::fin;
};

// Listens on 127.0.0.1 and serves one connection after the other. Base of the servers below.
class LoopbackListener {
 public:
  LoopbackListener();
  ~LoopbackListener();
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  std::uint16_t port() const { return port_; }
  // Waits for the next connection; -1 after stop().
  int accept_next();
  // Waits until one of two descriptors (-1: none) is readable. Returns false after stop(), or after
  // a time that only a hanging client needs.
  bool wait_readable(int a, int b = -1);
  void stop();

 private:
  int listener_ = -1;
  int stop_pipe_[2] = {-1, -1};
  std::uint16_t port_ = 0;
};

// Answers a request for /N with the N-th fault of its table, one request on each connection.
class HostileServer {
 public:
  explicit HostileServer(std::vector<Fault> table);
  ~HostileServer();

  std::string url(std::size_t index) const;
  std::uint64_t requests() const { return requests_; }

 private:
  void serve();
  void answer(int connection);
  std::string read_request(int connection);

  const std::vector<Fault> table_;
  LoopbackListener listener_;
  std::atomic<std::uint64_t> requests_ = 0;
  std::thread thread_;
};

// A proxy that forwards both directions until the client has received a number of bytes. So it can
// cut TLS, which it cannot read.
class CuttingRelay {
 public:
  explicit CuttingRelay(std::uint16_t server_port);
  ~CuttingRelay();

  std::uint16_t port() const { return listener_.port(); }
  // Applies to new connections.
  void cut_after(std::size_t bytes, Ending ending);
  // Waits for the end of the last connection. Returns the bytes that the client received.
  std::size_t wait_for_end();

 private:
  void relay();
  void carry(int client, int server, std::size_t bytes_max, Ending ending);

  const std::uint16_t server_port_;
  LoopbackListener listener_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t bytes_max_ = 0;  // guarded by mutex_, like all members below
  Ending ending_ = Ending::fin;
  std::size_t carried_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t over_ = 0;
  std::thread thread_;
};

}  // namespace gossamer::http
