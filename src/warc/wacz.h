// WACZ 1.1.1: archives, their index and a list of pages in one ZIP file, with digests of all of it.
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

// What must be known of a file before it goes in: all of it is of one pass over its bytes.
struct ContentFacts {
  std::uint64_t bytes = 0;
  std::uint32_t crc32 = 0;
  Digest sha256;
};

ContentFacts facts_of_content(Bytes content);

// The same of what comes in pieces.
class ContentMeter {
 public:
  void update(Bytes piece);
  ContentFacts facts() const;

 private:
  std::uint64_t bytes_ = 0;
  std::uint32_t crc32_ = 0;
  Digester sha256_{DigestAlgorithm::sha256};
};

// A line of pages.jsonl. Members that are empty are not written.
struct WaczPage {
  std::string id;
  std::string url;
  WallTime date;
  std::string title = {};
  std::string text = {};
};

// The first line, and one for a page; both without a line feed.
std::string pages_header_line();
std::string page_line(const WaczPage& page);

struct WaczFacts {
  WallTime created;
  std::string software;
  std::string title = {};
  std::string description = {};
  std::string main_page_url = {};
  WallTime main_page_date = {};  // counts if there is a URL
};

// Gives the bytes between the contents, like ZipWriter.
//
//   file += writer.begin("archive/data.warc.gz", facts);
//   file += content;
//   file += writer.finish(about);
//
// A reader wants archive/*.warc.gz, indexes/index.cdxj and pages/pages.jsonl.
class WaczWriter {
 public:
  explicit WaczWriter(WallTime date) noexcept : date_(date) {}

  std::string begin(std::string_view path, const ContentFacts& facts);
  // datapackage.json, datapackage-digest.json and the directory.
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

// What is wrong with a package, a sentence each: files that are missing, unsafe names, sizes and
// digests that do not agree, members that are packed as only bombs are. Empty if nothing is; beyond
// a hundred the last one says how many more there are. Signatures are not looked at.
std::vector<std::string> check_wacz(const ZipArchive& zip);

// Fails with Errc::malformed if a member has a name that leads elsewhere ("../x") or one that
// another member has: readers that choose differently would see different packages.
Result<void> check_member_names(const ZipArchive& zip);

// The archives in it: those below archive/, in the order of the directory.
std::vector<const ZipEntry*> archives_of(const ZipArchive& zip);

}  // namespace gossamer::warc
