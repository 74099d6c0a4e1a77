// Replaces curl_client.cc if libcurl is not installed.
#include "base/check.h"
#include "bench/http/get_load.h"

namespace gossamer::bench {

bool curl_is_built_in() { return false; }

FetchCost get_with_libcurl(const GetLoad&) {
  CHECK(false, "libcurl is not built in");
  return {};
}

}  // namespace gossamer::bench
