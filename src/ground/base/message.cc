#include "base/message.h"

#include <fmt/args.h>
#include <fmt/format.h>

namespace gossamer::base {

std::string format_message(std::string_view format, std::initializer_list<Arg> args) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  store.reserve(args.size(), 0);
  for (const Arg& arg : args) {
    arg.visit([&store](auto value) { store.push_back(value); });
  }
  try {
    return fmt::vformat(format, store);
  } catch (const fmt::format_error& error) {
    // A message reports a fault; a bad format spec in it must not hide that fault.
    return std::string(format) + " (" + error.what() + ")";
  }
}

}  // namespace gossamer::base
