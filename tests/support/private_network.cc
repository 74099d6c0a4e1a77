#include "tests/support/private_network.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

#include "tests/support/command_run.h"
#include "tests/support/server_program.h"

namespace gossamer::support {
namespace {

bool start_loopback() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request = {};
  std::string_view("lo").copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP;
  const bool is_up = ioctl(any, SIOCSIFFLAGS, &request) == 0;
  close(any);
  return is_up;
}

}  // namespace

PrivateNetwork::PrivateNetwork() {
  if (!is_installed(kNft)) {
    missing_ = "nft is not installed";
    return;
  }
  const int former = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  if (unshare(CLONE_NEWNET) != 0) {
    missing_ = "a network namespace needs the rights of root";
    close(former);
    return;
  }
  former_ = former;
  if (!start_loopback()) missing_ = "the loopback interface does not start";
  if (missing_.empty() && Program({kNft, "add", "table", "ip", "lost"}).wait_for_end() != 0) {
    missing_ = "the kernel has no nf_tables";
  }
}

PrivateNetwork::~PrivateNetwork() {
  if (former_ < 0) return;
  EXPECT_EQ(setns(former_, CLONE_NEWNET), 0);
  close(former_);
}

void PrivateNetwork::drop(const std::string& address, const std::vector<std::uint16_t>& ports) {
  constexpr std::string_view kRules =
      "add chain ip lost packets {{ type filter hook input priority 0; }}\n"
      "add rule ip lost packets ip saddr {0} tcp dport {{ {1} }} counter drop\n"
      "add rule ip lost packets ip daddr {0} tcp sport {{ {1} }} counter drop\n";
  run_nft(fmt::format(kRules, address, fmt::join(ports, ", ")));
}

void PrivateNetwork::count_packets_of(unsigned user) {
  run_nft(
      fmt::format("add table inet counted\n"
                  "add chain inet counted sent {{ type filter hook output priority 0; }}\n"
                  "add rule inet counted sent meta skuid {} counter\n",
                  user));
}

std::uint64_t PrivateNetwork::counted_packets() {
  constexpr std::string_view kBefore = "counter packets ";
  const std::string rules = run_nft("list table inet counted\n");
  const std::size_t at = rules.find(kBefore);
  EXPECT_NE(at, std::string::npos) << rules;
  return at == std::string::npos ? 0 : std::stoull(rules.substr(at + kBefore.size()));
}

void PrivateNetwork::heal() {
  const std::string rules = run_nft("list table ip lost\n");
  EXPECT_THAT(rules, testing::ContainsRegex("counter packets [1-9]")) << "no packet was lost";
  run_nft("flush table ip lost\n");
}

std::string PrivateNetwork::run_nft(const std::string& commands) {
  const TestFolder folder;
  const std::string log = folder.write("log", "");
  Program nft({kNft, "-f", folder.write("rules", commands)}, log);
  EXPECT_EQ(nft.wait_for_end(), 0) << commands;
  return file_content(log);
}

}  // namespace gossamer::support
