// For tests: Redis Functions. It runs the Lua source of the product in the Lua that Redis has.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tests/redis_model/dataset.h"

struct lua_State;

namespace gossamer::redis_model {

// The functions of one source, as FUNCTION LOAD accepts it: "#!lua name=NAME" and Lua. They keep
// no state, so that several servers can share them.
class FunctionLibrary {
 public:
  // Returns the library of this source; the same one for the same source.
  static Result<std::shared_ptr<const FunctionLibrary>> load(const std::string& source);
  ~FunctionLibrary();
  FunctionLibrary(const FunctionLibrary&) = delete;
  FunctionLibrary& operator=(const FunctionLibrary&) = delete;

  const std::string& name() const { return name_; }
  const std::string& source() const { return source_; }
  bool has(std::string_view function) const { return functions_.contains(function); }
  // REQUIRES: has(function).
  bool is_allowed_when_full(std::string_view function) const;

  // The function redis.call().
  using Call = std::function<Reply(const Words& words)>;
  // REQUIRES: has(function). BORROWS: `call`.
  Reply run(std::string_view function, const Words& keys, const Words& arguments,
            const Call& call) const;

 private:
  struct Function {
    int reference = 0;  // in the registry of Lua
    bool is_allowed_when_full = false;
  };

  FunctionLibrary(std::string name, std::string source);
  static int register_function(lua_State* lua);

  const std::string name_;
  const std::string source_;
  lua_State* const lua_;
  std::map<std::string, Function, std::less<>> functions_;
};

}  // namespace gossamer::redis_model
