#pragma once

// For programs that use Gossamer as a library: the HTTP client and the network layer below it.
#include "http/body.h"
#include "http/client.h"
#include "http/credential_store.h"
#include "net/caching_resolver.h"
#include "net/cares_resolver.h"
#include "net/connector.h"
#include "net/hosts_file.h"
#include "net/local_names.h"
#include "net/tls_context.h"
#include "wire/cookie_jar.h"
#include "wire/cookies_txt.h"
