#pragma once

#include <memory>
#include <vector>

#include "engine/page/page_contents.h"
#include "engine/page/page_reading.h"
#include "engine/page_rendering.h"
#include "engine/setup/options.h"

namespace gossamer::crawler {

// The readings of pages, for reuse.
class PageReadings {
 public:
  // BORROWS: all.
  PageReadings(const Settings& settings, const PageContents& contents,
               const PageRendering& rendering)
      : settings_(settings), contents_(contents), rendering_(rendering) {}

  // Returns one that does what the settings say.
  std::unique_ptr<PageReading> borrow();
  void give_back(std::unique_ptr<PageReading> reading);

 private:
  const Settings& settings_;
  const PageContents& contents_;
  const PageRendering& rendering_;
  std::vector<std::unique_ptr<PageReading>> unused_;
};

}  // namespace gossamer::crawler
