// Formats the result of a resolver.
#pragma once

#include <string>

#include "async/endpoint.h"
#include "base/result.h"
#include "base/time.h"
#include "net/resolver.h"

namespace gossamer::net {

// The addresses and their TTL, or the error.
inline std::string text_of(const Result<Addresses>& found) {
  if (!found) return found.error().to_string();
  std::string text;
  for (const auto& family : {found->v6, found->v4}) {
    for (const async::Endpoint& address : family) text += address.address_text() + " ";
  }
  return text + base::to_string(found->ttl);
}

}  // namespace gossamer::net
