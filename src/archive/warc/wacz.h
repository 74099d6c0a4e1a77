// WACZ 1.1.1: archives, their index and a list of pages in one ZIP file, with digests of
// everything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "warc/digest.h"
#include "warc/zip_reader.h"
#include "warc/zip_writer.h"

namespace gossamer::warc {

// The facts about a file that must be known before it is added; one pass over its bytes finds them.
struct ContentFacts {
  std::uint64_t bytes = 0;
  std::uint32_t crc32 = 0;
  Digest sha256;
};

ContentFacts facts_of_content(Bytes content);

// Computes the same for data that arrives in pieces.
class ContentMeter {
 public:
  void update(Bytes piece);
  ContentFacts facts() const;

 private:
  std::uint64_t bytes_ = 0;
  std::uint32_t crc32_ = 0;
  Digester sha256_{DigestAlgorithm::sha256};
};

// A line of pages.jsonl. Empty members are not written.
struct WaczPage {
  std::string id;
  std::string url;
  WallTime date;
  std::string title = {};
  std::string text = {};
};

// The first line, and the line of a page; both without a line feed.
std::string pages_header_line();
std::string page_line(const WaczPage& page);

struct WaczFacts {
  WallTime created;
  std::string software;
  std::string title = {};
  std::string description = {};
  std::string main_page_url = {};
  WallTime main_page_date = {};  // used if there is a URL
};

// Produces the bytes between the contents, like ZipWriter.
//
//   file += writer.begin("archive/data.warc.gz", facts);
//   file += content;
//   file += writer.finish(about);
//
// Readers expect archive/*.warc.gz, indexes/index.cdxj and pages/pages.jsonl.
class WaczWriter {
 public:
  explicit WaczWriter(WallTime date) noexcept : date_(date) {}

  std::string begin(std::string_view path, const ContentFacts& facts);
  // Returns datapackage.json, datapackage-digest.json and the central directory.
  std::string finish(const WaczFacts& about);

 private:
  struct Resource {
    std::string path;
    std::uint64_t bytes;
    std::string hash;
  };

  std::string datapackage(const WaczFacts& about) const;

  WallTime date_;
  ZipWriter zip_;
  std::vector<Resource> resources_;
};

// Returns the problems of a package, one sentence each: missing files, unsafe names, sizes and
// digests that do not match, members compressed like bombs. Beyond a hundred, the last one says how
// many more there are. Signatures are not checked.
std::vector<std::string> check_wacz(const ZipArchive& zip);

// Fails with Errc::malformed if a member has an unsafe name ("../x") or the name of another member:
// different readers would see different packages.
Result<void> check_member_names(const ZipArchive& zip);

// Returns the archives in it: the members below archive/, in the order of the directory.
std::vector<const ZipEntry*> archives_of(const ZipArchive& zip);

}  // namespace gossamer::warc
