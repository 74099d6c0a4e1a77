#pragma once

#include <string_view>

#include "base/result.h"
#include "dom/xpath_program.h"

namespace gossamer::dom {

// Fails with Errc::malformed or Errc::over_limit, and a detail that says where and why.
base::Result<XPathExpression> compile_xpath(std::string_view text);

}  // namespace gossamer::dom
