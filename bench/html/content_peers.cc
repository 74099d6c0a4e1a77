// Other programs that take fields and main texts out of pages: lxml with cssselect, Readability.js
// with linkedom. They are slow, so they read a sample of the pages.
#include "bench/html/content_peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

const std::string kFolder = GOSSAMER_SOURCE_DIR "/bench/html";
const std::string kModules = GOSSAMER_BENCH_MODULES;

// Returns whether the packages of npm are there.
bool installs_readability() {
  const std::string package = kFolder + "/readability/package.json";
  const std::string done = kModules + "/installed";
  if (std::filesystem::exists(done)) return true;
  const std::string npm = find_program("npm");
  if (npm.empty()) return false;
  std::filesystem::create_directories(kModules);
  std::filesystem::copy_file(package, kModules + "/package.json",
                             std::filesystem::copy_options::overwrite_existing);
  auto installing = ChildProcess::execute(
      {npm, "install", "--prefix", kModules, "--no-package-lock", "--ignore-scripts", "--no-audit",
       "--no-fund", "--fetch-retries=0", "--fetch-timeout=20000"},
      kServerCore);
  if (!installing.wait().well) return false;
  std::ofstream(done) << "";
  return true;
}

// The nanoseconds that the program prints; 0: it could not run.
double nanoseconds_of(const std::vector<std::string>& command, const TemporaryFolder& folder) {
  const std::string output = folder.path() + "/output";
  auto child = ChildProcess::execute(command, kClientCore, output);
  if (!child.wait().well) return 0;
  double nanoseconds = 0;
  std::ifstream(output) >> nanoseconds;
  return nanoseconds;
}

}  // namespace

Corpus sample_of(const Corpus& pages, std::size_t count) {
  Corpus sample;
  const std::size_t step = std::max<std::size_t>(1, pages.pages.size() / count);
  for (std::size_t i = 0; i < pages.pages.size(); i += step) {
    sample.pages.push_back(pages.pages[i]);
    sample.bytes += pages.pages[i].html.size();
  }
  return sample;
}

std::vector<ContentPeer> content_peers() {
  std::vector<ContentPeer> peers;
  const std::string python = find_program("python3");
  if (!python.empty()) {
    peers.push_back({.name = "four fields by selectors: lxml with cssselect",
                     .command = {python, kFolder + "/read_with_lxml.py"}});
  }
  const std::string node = find_program("node");
  if (!node.empty() && installs_readability()) {
    peers.push_back({.name = "main text: Readability.js with linkedom",
                     .command = {node, kFolder + "/readability/read_pages.mjs", kModules},
                     .finds_main_text = true});
  }
  return peers;
}

std::optional<double> measure_peer(const ContentPeer& peer, const Corpus& sample,
                                   std::size_t rounds) {
  const TemporaryFolder folder;
  std::string names;
  for (const CorpusPage& page : sample.pages) names += page.path + "\n";
  folder.write("pages", names);
  std::vector<std::string> command = peer.command;
  command.push_back(folder.path() + "/pages");
  std::vector<double> samples;
  for (std::size_t i = 0; i < rounds; ++i) {
    const double nanoseconds = nanoseconds_of(command, folder);
    if (nanoseconds == 0) {
      fmt::print(stderr, "{} could not be measured; is it installed?\n", peer.name);
      return std::nullopt;
    }
    samples.push_back(nanoseconds);
  }
  return median(std::move(samples));
}

}  // namespace gossamer::bench
