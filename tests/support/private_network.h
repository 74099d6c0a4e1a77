// For tests: a network of its own, in which packets can be lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::support {

inline constexpr const char* kNft = "/usr/sbin/nft";

// A network with nothing but a loopback interface. This thread is in it while the object lives,
// with all threads and programs that it starts meanwhile. They must end before.
class PrivateNetwork {
 public:
  PrivateNetwork();
  ~PrivateNetwork();
  PrivateNetwork(const PrivateNetwork&) = delete;
  PrivateNetwork& operator=(const PrivateNetwork&) = delete;

  // Why there is none; empty: there is.
  const std::string& missing() const { return missing_; }
  // Loses all packets, both ways, of the connections from an address to these ports.
  // REQUIRES: there is a network.
  void drop(const std::string& address, const std::vector<std::uint16_t>& ports);
  // Counts the packets that processes of a user send, to whatever address.
  void count_packets_of(unsigned user);
  std::uint64_t counted_packets();
  // Loses no more packets. Expects that some were lost.
  void heal();

 private:
  // Returns its output.
  static std::string run_nft(const std::string& commands);

  int former_ = -1;  // the network of this thread before
  std::string missing_;
};

}  // namespace gossamer::support
