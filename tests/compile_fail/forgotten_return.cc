// A failure that is made must be handed on.

#include "base/result.h"

gossamer::Result<int> checked_port(int port);

gossamer::Result<int> checked_port(int port) {
#ifdef MUST_NOT_COMPILE
  if (port > 65535) gossamer::fail(gossamer::Errc::malformed, "port");
#else
  if (port > 65535) return gossamer::fail(gossamer::Errc::malformed, "port");
#endif
  return port;
}
