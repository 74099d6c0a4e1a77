#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer serve-site: serves a synthetic site on loopback until it is interrupted; or prints what
// a crawl of it must fetch (--truth), or holds a crawl's results against that (--compare).
int run_serve_site_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
