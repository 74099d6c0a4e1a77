#include <string>

#include "async/driver.h"
#include "async/drivers/epoll_driver.h"
#include "async/drivers/uring_driver.h"

namespace gossamer::async {

Result<std::unique_ptr<Driver>> make_driver(DriverKind kind) {
  if (kind != DriverKind::epoll) {
    auto driver = UringDriver::make();
    if (driver || kind == DriverKind::io_uring) return driver;
  }
  return EpollDriver::make();
}

Result<DriverKind> parse_driver_kind(std::string_view text) {
  if (text == "auto") return DriverKind::automatic;
  if (text == "io_uring") return DriverKind::io_uring;
  if (text == "epoll") return DriverKind::epoll;
  return fail(Errc::invalid_argument,
              "unknown loop '" + std::string(text) + "'; use auto, io_uring or epoll");
}

}  // namespace gossamer::async
