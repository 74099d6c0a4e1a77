#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer warc ls FILE... [--json] [--type TYPE]...
// gossamer warc cat FILE [--offset N | --url URL] [--block | --payload] [--raw]
// gossamer warc check FILE... [--quiet]
// gossamer warc index FILE... [-o FILE]
// gossamer warc extract FILE... -o DIR [--raw]
//
// Looks into archives: WARC, ARC, with gzip or zstd or without, WACZ; - is standard input. Exits
// with 1 when an archive is damaged, a digest is wrong or nothing was found, with 3 when a file
// cannot be read or written.
int run_warc_command(const std::vector<std::string>& words);

}  // namespace gossamer::cli
