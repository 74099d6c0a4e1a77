#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "warc/zip_reader.h"

namespace gossamer::store {

// Reads what the user named: a WARC or ARC file, compressed or not, standard input for "-", or a
// WACZ package with several archives. It reads in pieces, so the size does not matter.
class WarcSource {
 public:
  // Fails with the error of the system. A package on standard input is read into memory.
  static Result<std::unique_ptr<WarcSource>> open(const std::string& path);
  // Opens a file that was found in a folder, as open_in_folder() does.
  static Result<std::unique_ptr<WarcSource>> open_found(const std::string& path);
  ~WarcSource();
  WarcSource(const WarcSource&) = delete;
  WarcSource& operator=(const WarcSource&) = delete;

  // Opens the next archive; false after the last. Also call it before the first.
  Result<bool> next_archive();
  const std::string& path() const { return path_; }
  // The path of the current archive, or its name in the package.
  const std::string& name() const { return name_; }
  // The name without folders, for indexes.
  std::string file_name() const;
  // Returns the next piece; empty at the end. BORROWS: until the next call.
  Result<Bytes> read();
  // Skips bytes. Fails with Errc::invalid_argument after the end.
  Result<void> skip(std::uint64_t bytes);

  // The package, if it is one.
  const warc::ZipArchive* package() const { return zip_ ? &*zip_ : nullptr; }
  // Fails with Errc::malformed if it is a package whose members have unsafe or equal names.
  Result<void> check_names() const;

 private:
  struct File;

  WarcSource();
  Result<void> begin(int descriptor);
  Result<void> open_package();
  Result<Bytes> read_file();

  std::string path_;
  std::string name_;
  std::unique_ptr<File> file_;
  std::string buffer_;
  Bytes pending_;        // read but not consumed, of the current archive
  std::string slurped_;  // a package from standard input
  std::optional<warc::ZipArchive> zip_;
  std::vector<const warc::ZipEntry*> archives_;
  std::size_t archive_ = 0;
  std::optional<warc::ZipMemberReader> member_;
  bool has_begun_ = false;
};

}  // namespace gossamer::store
