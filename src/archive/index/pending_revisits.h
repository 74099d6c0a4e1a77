// Revisits whose original is not in the index yet. It may come with any archive that is read later,
// in this run or in another one.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "index/search_writer.h"

namespace gossamer::index {

// An archive that is being indexed, and where a later run continues in it.
struct OpenArchive {
  enum class Stage : std::uint8_t {
    advancing,  // behind the last record
    halted,     // before one that cannot be read alone, or not to its end
    unplaced,   // at its beginning: no offset of it means anything
  };

  ArchiveName name;
  std::string begin;           // its first bytes
  std::uint64_t first = 0;     // where this run began to read
  std::uint64_t position = 0;  // where a later run continues
  Stage stage = Stage::unplaced;
  bool is_growing = false;  // a crawl is writing it, so its end may be incomplete
};

struct Revisit {
  PageOrigin origin;
  std::string first_url;
  WallTime first_captured;
};

class PendingRevisits {
 public:
  // Adds a revisit of this archive. Returns false if the list is full: then only a later run can
  // index it. BOUND: 100,000.
  bool add(Revisit revisit, const OpenArchive& archive);
  // Returns where a later run continues in this archive: not behind its first revisit that is
  // pending. REQUIRES: it is not unplaced.
  ArchivePosition position_in(const OpenArchive& archive);

  // All archives were read: returns the revisits, to be indexed now. For those that cannot be,
  // calls keep() again.
  std::vector<Revisit> take();
  void keep(const PageOrigin& origin);
  // Returns where a later run continues in each archive that has had pending revisits.
  std::vector<std::pair<ArchiveName, ArchivePosition>> positions() const;

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  struct Held {
    std::uint64_t first = kNone;       // the offset of its first pending revisit
    std::uint64_t first_lost = kNone;  // of those for which the list had no room
    std::uint64_t end = 0;             // as far as it was read
    std::string begin;
  };

  std::vector<Revisit> revisits_;
  std::map<ArchiveName, Held> held_;
};

}  // namespace gossamer::index
