#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer links FILE|- [--base URL] [--json] [--type html|xml|css|script] [--charset LABEL]
//                       [--kind KIND]... [--scripts]
//
// Every link of a document, one per line: kind, element and attribute, address; tabs between them.
// With --base, the address of the document, links are resolved; <base href> is obeyed. --json
// prints an object per line, with rel, anchor text and the address as it was written. The type is
// guessed from the file's name and first bytes. --scripts also looks for addresses in scripts.
int run_links_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
