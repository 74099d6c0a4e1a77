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

// A hosts file (hosts(5)): names of hosts and their addresses.
class HostsFile {
 public:
  // BOUND: the rest of a longer file is not read.
  static constexpr std::size_t kBytesMax = 64 * 1024 * 1024;

  HostsFile() = default;
  // Invalid lines are skipped, as other programs do.
  static HostsFile parse(std::string_view text);
  // Fails if the file cannot be read. A missing file counts as empty.
  static async::Task<Result<HostsFile>> load(std::string path);

  // Adds an entry: "a.example is at 192.0.2.1".
  void add(std::string_view name, const async::Endpoint& address);
  // Returns null if the file does not name the host. Case and a final dot do not matter.
  const Addresses* find(std::string_view host) const;
  std::size_t size() const { return names_.size(); }

 private:
  void read_line(std::string_view line);

  std::unordered_map<std::string, Addresses> names_;
};

}  // namespace gossamer::net
