#pragma once

#include <string>
#include <vector>

#include "async/driver.h"
#include "base/result.h"
#include "http/request.h"
#include "net/tls_context.h"
#include "options/table.h"
#include "run/web_access.h"

namespace gossamer::cli {

// A line "Name: value", added to the fields. Gives what is wrong with it, not what it says: it may
// be a secret.
std::string take_field(const std::string& line, std::vector<http::Field>& fields);

// -H
void declare_fields(options::Table& table, std::vector<http::Field>& fields);
// --resolve, --dns-servers, --proxy, --allow-private, --connect-timeout, --loop
void declare_network(options::Table& table, run::WebOptions& web, async::DriverKind& driver);
// --insecure, --cacert, --cert, --key
void declare_certificates(options::Table& table, net::TlsOptions& tls);

// After parsing: proxies of the environment if none was said, and what is the same for all
// requests. Fails with Errc::invalid_argument.
Result<void> settle_network(const options::Table& table, run::WebOptions& web);

// auto, io_uring or epoll.
options::Value driver_value(async::DriverKind& into);

}  // namespace gossamer::cli
