#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/driver.h"
#include "base/result.h"
#include "base/time.h"
#include "cli/arguments.h"
#include "http/request.h"
#include "run/web_access.h"

namespace gossamer::cli {

// What commands that use the network have in common.
struct WebArguments {
  async::DriverKind driver = async::DriverKind::automatic;
  run::WebOptions web;
  std::vector<http::Field> fields;  // -H, in their order

  // As they were given; settle() turns them into options.
  std::string proxy;
  bool no_proxy = false;
};

// A line "Name: value", added to the fields. Gives what is wrong with it, not what it says: it may
// be a secret.
std::string take_field(const std::string& line, std::vector<http::Field>& fields);

// -H
void declare_fields(Arguments& declared, WebArguments& arguments);
// --resolve, --dns-servers, --proxy, --allow-private, --connect-timeout, --loop
void declare_network(Arguments& declared, WebArguments& arguments);
// --insecure, --cacert, --cert, --key
void declare_certificates(Arguments& declared, WebArguments& arguments);

// After parsing: proxies, those of the environment too, and what is the same for all requests.
// Fails with Errc::invalid_argument.
Result<void> settle(WebArguments& arguments);

// auto, io_uring or epoll.
Arguments::Taker taker_of_driver(async::DriverKind& into);
// A time with its unit; a bare number means seconds.
Arguments::Taker taker_of_duration(Duration& into);
// A size with or without a unit: 500, 64K, 10M, 2G (1024 each).
Arguments::Taker taker_of_size(std::uint64_t& into);

}  // namespace gossamer::cli
