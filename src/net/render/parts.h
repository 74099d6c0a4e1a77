#pragma once

#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "http/request.h"

namespace gossamer::render {

// An answer that a page gets.
struct PartAnswer {
  int status = 200;
  std::vector<http::Field> fields;
  std::string body;  // decoded
};

// Answers what pages request while they are rendered: scripts, styles, data, frames. This is the
// only way from a browser to the network.
class Parts {
 public:
  virtual ~Parts() = default;

  // Redirects are answers: the browser requests their targets. Any failure is one for the page as
  // well. BORROWS: the parts.
  virtual async::Task<Result<PartAnswer>> fetch(http::Request request) = 0;
};

}  // namespace gossamer::render
