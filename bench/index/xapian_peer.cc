#include "bench/index/xapian_peer.h"

#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "bench/support/child_process.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

void write_text(std::ofstream& out, const std::string& text) {
  const std::uint64_t size = text.size();
  out.write(reinterpret_cast<const char*>(&size), sizeof(size));
  out.write(text.data(), static_cast<std::streamsize>(size));
}

}  // namespace

std::optional<double> xapian_cpu_ns(const IndexedDocuments& documents, const std::string& folder) {
  // The module of Debian is for Debian's Python, which need not be the first one.
  const std::string python = "/usr/bin/python3";
  if (access(python.c_str(), X_OK) != 0) return std::nullopt;
  const std::string texts = folder + "/texts";
  {
    std::ofstream out(texts, std::ios::binary);
    for (const IndexedDocument& page : documents.pages) {
      write_text(out, page.text.title);
      write_text(out, page.text.main + page.text.rest);
    }
  }
  const std::string output = folder + "/output";
  auto child = ChildProcess::execute(
      {python, GOSSAMER_SOURCE_DIR "/bench/index/xapian_index.py", texts, folder + "/xapian"},
      kClientCore, output);
  if (!child.wait().well) return std::nullopt;
  double nanoseconds = 0;
  std::ifstream(output) >> nanoseconds;
  return nanoseconds;
}

}  // namespace gossamer::bench
