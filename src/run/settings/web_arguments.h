#pragma once

#include <string>
#include <vector>

#include "async/driver.h"
#include "base/result.h"
#include "http/request.h"
#include "net/tls_context.h"
#include "options/table.h"
#include "settings/web_options.h"

namespace gossamer::settings {

// -H
void declare_fields(options::Table& table, options::Value fields);
// The value of -H. BORROWS: the fields, until they are parsed.
options::Value field_value(std::vector<http::Field>& into);
// `resolve`, `dns-servers`, `proxy`, `allow-private`, `connect-timeout`, `loop`
void declare_network(options::Table& table, run::WebOptions& web, async::DriverKind& driver);
// `insecure`, `cacert`, `cert`, `key`
void declare_certificates(options::Table& table, net::TlsOptions& tls);

// After parsing: uses the proxies of the environment if there is no option, and sets the fields of
// all requests. Fails with Errc::invalid_argument.
Result<void> complete_network(const options::Table& table, run::WebOptions& web);

// auto, io_uring or epoll.
options::Value driver_value(async::DriverKind& into);

}  // namespace gossamer::settings
