#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/journal.h"

namespace gossamer::store {

// The numbers of origins in the keys of a stored queue. REQUIRES, for all functions: the journal's
// lock is held.
class OriginNames {
 public:
  // BORROWS: the journal.
  explicit OriginNames(Journal& journal) : journal_(journal) {}

  // Continues the numbers of an earlier process.
  Result<void> take_over();
  // Returns the number of an origin that the caller does not know, and makes one if there is none.
  std::uint32_t id_of(std::string_view name);
  // From now on, the caller may pass names to id_of() that have a number.
  void expect_old_names() noexcept { has_old_names_ = true; }
  // Returns an empty text if there is no such origin.
  std::string name_of(std::uint32_t id);

 private:
  Result<void> write_names();

  Journal& journal_;
  bool has_old_names_ = false;
  std::uint32_t next_id_ = 1;
};

}  // namespace gossamer::store
