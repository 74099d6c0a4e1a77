#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/html/corpus.h"

namespace gossamer::bench {

// A program that reads pages. Its last argument is a file with their names.
struct ContentPeer {
  std::string name;
  std::vector<std::string> command;
  bool finds_main_text = false;  // else it takes fields
};

// Those that are installed. npm installs what one of them needs, in the folder of the build.
std::vector<ContentPeer> content_peers();

// About `count` pages, from all parts of the corpus.
Corpus sample_of(const Corpus& pages, std::size_t count);

// The nanoseconds of processor time for all pages; empty: it cannot run.
std::optional<double> measure_peer(const ContentPeer& peer, const Corpus& sample,
                                   std::size_t rounds);

}  // namespace gossamer::bench
