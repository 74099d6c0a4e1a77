// What `gossamer job export` and `gossamer cluster export` write.
#pragma once

#include <string>
#include <string_view>

#include "options/table.h"
#include "record/record_fields.h"
#include "store/stored_crawl.h"

namespace gossamer::cli {

struct ExportOutputs {
  std::string records;
  std::string mirror;
  std::string database;
  std::string markdown;
  crawler::FieldChoice fields;  // of the records and the database; empty: all that are stored

  bool empty() const;
};

void declare_outputs(options::Table& table, ExportOutputs& outputs);

// Returns what is wrong with the selected fields; empty: nothing.
std::string fault_of_fields(const ExportOutputs& outputs);

// Names the damaged files, which may have contained what is read. Returns the exit code.
int tell_archive_damage(std::string_view command, const store::StoredCrawl& kept);
// Exports a crawl directory. REQUIRES: nothing is wrong with the fields. Prints failures, and
// returns the exit code.
int export_job(std::string_view command, const std::string& folder, const ExportOutputs& outputs);

}  // namespace gossamer::cli
