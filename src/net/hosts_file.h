#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "net/resolver.h"

namespace gossamer::net {

// What a hosts file (hosts(5)) says: names of hosts and their addresses.
class HostsFile {
 public:
  // BOUND: what a file has beyond is not read.
  static constexpr std::size_t kBytesMax = 64 * 1024 * 1024;

  HostsFile() = default;
  // Lines that make no sense are skipped, as everybody does.
  static HostsFile parse(std::string_view text);
  // Fails like a file that cannot be read. No file is an empty one.
  static async::Task<Result<HostsFile>> load(std::string path);

  // A line of one's own: "a.example is at 192.0.2.1".
  void add(std::string_view name, const async::Endpoint& address);
  // Null when the file does not name the host. Case and a final dot do not matter.
  const Addresses* find(std::string_view host) const;
  std::size_t size() const { return names_.size(); }

 private:
  void read_line(std::string_view line);

  std::unordered_map<std::string, Addresses> names_;
};

}  // namespace gossamer::net
