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

// Adds a line "Name: value" to the fields. Returns the problem, without the value: it may be a
// secret.
std::string take_field(const std::string& line, std::vector<http::Field>& fields);

// -H
void declare_fields(options::Table& table, std::vector<http::Field>& fields);
// --resolve, --dns-servers, --proxy, --allow-private, --connect-timeout, --loop
void declare_network(options::Table& table, run::WebOptions& web, async::DriverKind& driver);
// --insecure, --cacert, --cert, --key
void declare_certificates(options::Table& table, net::TlsOptions& tls);

// After parsing: uses the proxies of the environment if there is no option, and sets the fields of
// all requests. Fails with Errc::invalid_argument.
Result<void> settle_network(const options::Table& table, run::WebOptions& web);

// auto, io_uring or epoll.
options::Value driver_value(async::DriverKind& into);

}  // namespace gossamer::cli
