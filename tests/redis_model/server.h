// For tests: one server of a modelled Redis Cluster. It executes commands; time, connections and
// faults are those of Cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/event.h"
#include "base/time.h"
#include "tests/redis_model/dataset.h"
#include "tests/redis_model/functions.h"

namespace gossamer::redis_model {

class Server;

// What all servers of a cluster know.
class View {
 public:
  virtual ~View() = default;
  // nullptr: this is one server and no cluster.
  virtual const std::vector<std::size_t>* owners() const = 0;  // by slot
  virtual Server& server(std::size_t number) = 0;
  virtual std::size_t size() const = 0;
  // The address of a server, as a peer at that door knows it: "10.50.0.1".
  virtual std::string address(std::size_t number, std::size_t door) const = 0;
  virtual void assign(std::uint16_t slot, std::size_t owner) = 0;
  // True if it is down or paused.
  virtual bool is_silent(const Server& server) const = 0;
  // True while a slot has no server and servers refuse everything for that reason.
  virtual bool is_down() const = 0;
  // A server has something new for its replicas.
  virtual void changed(std::size_t number) = 0;
};

// Changes that a replica applies together: what one command did.
struct Effect {
  std::vector<Words> commands;
  std::shared_ptr<const FunctionLibrary> library;  // nullptr: it is the old one
  std::map<std::string, Value> restored;
};

// A connection, as its server knows it.
struct Session {
  std::size_t door = 0;
  bool is_asking = false;      // the last command was ASKING
  std::size_t last_write = 0;  // the length of the history after it
};

class Server {
 public:
  Server(std::size_t number, View& view);

  // Executes any command but WAIT. `time` is in microseconds since 1970.
  Reply execute(const Words& words, Session& session, std::int64_t time);

  // A replica takes over what its master had done until its history had that length.
  void follow(const Server& master, std::size_t length);
  // From now on it is a master, with what it has.
  void promote();
  // It hears which slots it has lost.
  void drop_lost_slots();
  // Returns whether a replica has what its master had at that length of its history.
  bool has(const Server& of, std::size_t length) const {
    return branch_ == of.branch_ && history_.size() >= length;
  }

  std::size_t number() const { return number_; }
  const std::string& id() const { return id_; }
  std::size_t length() const { return history_.size(); }
  const Dataset& data() const { return data_; }
  bool is_master() const { return !master; }

  std::optional<std::size_t> master;  // the number of its master
  bool is_up = true;
  bool is_linked = true;  // a replica: it hears of its master
  bool is_loading = false;
  bool is_full = false;  // its memory
  // While it has not heard that it was replaced: the owners of slots as it knew them.
  std::optional<std::vector<std::size_t>> old_owners;
  Duration clock_offset = Duration::zero();
  std::map<std::uint16_t, std::size_t> importing;  // slots that come from others
  std::map<std::uint16_t, std::size_t> migrating;  // slots that go to others
  // Slots that it does not own any more. It deletes their keys when it hears of that.
  std::set<std::uint16_t> lost_slots;
  std::uint64_t epoch = 0;
  // How often a call of g4_finish returned 1.
  std::size_t ends = 0;
  async::Event has_news;  // of its master
  async::Event has_acks;  // a replica has something

 private:
  // The reply if another server has the key, or none has it.
  std::optional<Reply> redirect(const Words& words, const Session& session, bool is_asking);
  Reply run(const Words& words, Session& session, std::int64_t time);
  Reply call_function(const Words& words, Session& session, std::int64_t time);
  Reply flush(Session& session);
  Reply function(const Words& words, Session& session);
  Reply cluster(const Words& words, std::size_t door);
  Reply cluster_slots(std::size_t door) const;
  Reply cluster_nodes(std::size_t door) const;
  Reply set_slot(const Words& words);
  Reply bump_epoch();
  Reply keys_in_slot(std::uint16_t slot, std::size_t most) const;
  Reply migrate(const Words& words, Session& session);
  Reply scan(const Words& words) const;
  Reply info() const;
  Server* find(const std::string& id) const;
  const std::vector<std::size_t>* owners() const;
  void record(Effect effect, Session* session);
  void apply(const Effect& effect);

  const std::size_t number_;
  const std::string id_;
  View& view_;
  Dataset data_;
  std::shared_ptr<const FunctionLibrary> library_;
  std::vector<std::shared_ptr<const Effect>> history_;
  std::uint64_t branch_ = 0;  // changes when it becomes a master
};

}  // namespace gossamer::redis_model
