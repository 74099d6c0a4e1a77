#include "tests/redis_model/functions.h"

#include <fmt/format.h>

#include <lua5.1/lua.hpp>
#include <utility>

#include "base/check.h"

namespace gossamer::redis_model {
namespace {

// Errors of Lua jump over frames of C++, so no function here has objects when it calls lua_error().

void push_reply(lua_State* lua, const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::integer: lua_pushnumber(lua, static_cast<lua_Number>(reply.integer)); return;
    case Reply::Kind::text: lua_pushlstring(lua, reply.text.data(), reply.text.size()); return;
    case Reply::Kind::array: break;
    default: lua_pushboolean(lua, 0); return;
  }
  lua_createtable(lua, static_cast<int>(reply.items.size()), 0);
  for (std::size_t i = 0; i < reply.items.size(); ++i) {
    push_reply(lua, reply.items[i]);
    lua_rawseti(lua, -2, static_cast<int>(i + 1));
  }
}

std::string string_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* const bytes = lua_tolstring(lua, index, &size);
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

// The value on top of the stack, as Redis turns it into a reply.
Reply read_reply(lua_State* lua) {
  switch (lua_type(lua, -1)) {
    case LUA_TNUMBER: return integer(static_cast<std::int64_t>(lua_tonumber(lua, -1)));
    case LUA_TSTRING: return text(string_at(lua, -1));
    case LUA_TBOOLEAN: return lua_toboolean(lua, -1) != 0 ? integer(1) : Reply();
    case LUA_TTABLE: break;
    default: return {};
  }
  lua_getfield(lua, -1, "err");
  if (lua_isstring(lua, -1) != 0) {
    Reply reply = error(string_at(lua, -1));
    lua_pop(lua, 1);
    return reply;
  }
  lua_pop(lua, 1);
  std::vector<Reply> items;
  for (int i = 1;; ++i) {
    lua_rawgeti(lua, -1, i);
    const bool is_end = lua_isnil(lua, -1);
    if (!is_end) items.push_back(read_reply(lua));
    lua_pop(lua, 1);
    if (is_end) return array(std::move(items));
  }
}

// Numbers of Lua are written as Redis writes them.
Words read_words(lua_State* lua) {
  Words words;
  for (int i = 1; i <= lua_gettop(lua); ++i) {
    words.push_back(lua_type(lua, i) == LUA_TNUMBER ? fmt::format("{:.17g}", lua_tonumber(lua, i))
                                                    : string_at(lua, i));
  }
  return words;
}

// Leaves a result or a message on the stack. Returns whether it is a result.
bool call_redis(lua_State* lua) {
  lua_getfield(lua, LUA_REGISTRYINDEX, "call");
  const auto* const call = static_cast<const FunctionLibrary::Call*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  CHECK(call != nullptr);
  const Reply reply = (*call)(read_words(lua));
  if (!reply.is_error()) {
    push_reply(lua, reply);
    return true;
  }
  lua_pushlstring(lua, reply.text.data(), reply.text.size());
  return false;
}

int redis_call(lua_State* lua) { return call_redis(lua) ? 1 : lua_error(lua); }

int error_reply(lua_State* lua) {
  lua_newtable(lua);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "err");
  return 1;
}

void set_redis(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

void push_words(lua_State* lua, const Words& words) {
  lua_createtable(lua, static_cast<int>(words.size()), 0);
  for (std::size_t i = 0; i < words.size(); ++i) {
    lua_pushlstring(lua, words[i].data(), words[i].size());
    lua_rawseti(lua, -2, static_cast<int>(i + 1));
  }
}

}  // namespace

FunctionLibrary::FunctionLibrary(std::string name, std::string source)
    : name_(std::move(name)), source_(std::move(source)), lua_(luaL_newstate()) {
  luaL_openlibs(lua_);
  lua_newtable(lua_);
  set_redis(lua_, "call", redis_call);
  set_redis(lua_, "error_reply", error_reply);
  set_redis(lua_, "register_function", register_function);
  lua_setglobal(lua_, "redis");
  lua_pushlightuserdata(lua_, this);
  lua_setfield(lua_, LUA_REGISTRYINDEX, "library");
}

FunctionLibrary::~FunctionLibrary() { lua_close(lua_); }

// register_function(name, callback), or register_function{function_name=, callback=, flags=}.
int FunctionLibrary::register_function(lua_State* lua) {
  lua_getfield(lua, LUA_REGISTRYINDEX, "library");
  auto* const self = static_cast<FunctionLibrary*>(lua_touserdata(lua, -1));
  lua_pop(lua, 1);
  Function function;
  if (lua_istable(lua, 1)) {
    lua_getfield(lua, 1, "flags");
    for (int i = 1; lua_istable(lua, 2); ++i) {
      lua_rawgeti(lua, 2, i);
      if (lua_isnil(lua, -1)) break;
      if (string_at(lua, -1) == "allow-oom") function.is_allowed_when_full = true;
      lua_pop(lua, 1);
    }
    lua_settop(lua, 1);
    lua_getfield(lua, 1, "function_name");
    lua_getfield(lua, 1, "callback");
    lua_remove(lua, 1);
  }
  lua_settop(lua, 2);
  function.reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  self->functions_[string_at(lua, 1)] = function;
  return 0;
}

Result<std::shared_ptr<const FunctionLibrary>> FunctionLibrary::load(const std::string& source) {
  static std::map<std::string, std::shared_ptr<const FunctionLibrary>> known;
  if (const auto found = known.find(source); found != known.end()) return found->second;
  constexpr std::string_view kFirst = "#!lua name=";
  const std::size_t end = source.find('\n');
  if (!source.starts_with(kFirst) || end == source.npos) {
    return fail(Errc::malformed, "Missing library metadata");
  }
  const std::string name = source.substr(kFirst.size(), end - kFirst.size());
  std::shared_ptr<FunctionLibrary> library(new FunctionLibrary(name, source));
  lua_State* const lua = library->lua_;
  const std::string code = source.substr(end);  // the line end stays, for the numbers of lines
  if (luaL_loadbuffer(lua, code.data(), code.size(), "@user_function") != 0 ||
      lua_pcall(lua, 0, 0, 0) != 0) {
    return fail(Errc::malformed, string_at(lua, -1));
  }
  return known[source] = std::move(library);
}

bool FunctionLibrary::is_allowed_when_full(std::string_view function) const {
  return functions_.find(function)->second.is_allowed_when_full;
}

Reply FunctionLibrary::run(std::string_view function, const Words& keys, const Words& arguments,
                           const Call& call) const {
  const auto found = functions_.find(function);
  CHECK(found != functions_.end());
  Call copy = call;
  lua_pushlightuserdata(lua_, &copy);
  lua_setfield(lua_, LUA_REGISTRYINDEX, "call");
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, found->second.reference);
  push_words(lua_, keys);
  push_words(lua_, arguments);
  const int status = lua_pcall(lua_, 2, 1, 0);
  Reply reply = status == 0 ? read_reply(lua_) : error("ERR " + string_at(lua_, -1));
  lua_settop(lua_, 0);
  lua_pushnil(lua_);
  lua_setfield(lua_, LUA_REGISTRYINDEX, "call");
  return reply;
}

}  // namespace gossamer::redis_model
