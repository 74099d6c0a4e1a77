#include "cli/doctor_command.h"

#include <cstdint>
#include <memory>

#include "async/descriptor_limit.h"
#include "async/driver.h"
#include "base/figures.h"
#include "base/number.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/standard_output.h"

namespace gossamer::cli {

namespace {

void print_driver(const char* name, async::DriverKind kind, const async::DescriptorLimit& limit) {
  const auto driver = async::make_driver(kind);
  if (!driver) {
    print_out("{:<9} no: {}\n", name, driver.error().to_string());
    return;
  }
  print_out("{:<9} yes, up to {} connections at once\n", name,
            base::grouped(async::connections_possible(limit, **driver)));
}

}  // namespace

int run_doctor_command(const std::vector<std::string>& words) {
  std::string number;
  Arguments declared("doctor", "Say what this machine lets Gossamer do.");
  declared.positional("CONNECTIONS", number, "how many you want at once", true);
  if (const auto exit_code = declared.parse(words)) return *exit_code;
  std::uint64_t wanted = 0;
  if (!number.empty() && !base::parse_number(number, wanted)) {
    return usage_error("doctor", "takes one number: how many connections you want at once");
  }
  const async::DescriptorLimit limit = async::raise_descriptor_limit();
  print_out("open files  {} (hard limit {})\n", base::grouped(limit.now),
            base::grouped(limit.most));
  print_driver("io_uring", async::DriverKind::io_uring, limit);
  print_driver("epoll", async::DriverKind::epoll, limit);
  const auto driver = async::make_driver(async::DriverKind::automatic);
  if (!driver) return kFailed;
  print_out("taken       {}\n", (*driver)->name());
  const std::string advice = async::advice_for_connections(wanted, limit, **driver);
  if (advice.empty()) {
    if (wanted > 0) print_out("{} connections are possible\n", base::grouped(wanted));
    return kOk;
  }
  print_out("{}\n", advice);
  return kFailed;
}

}  // namespace gossamer::cli
