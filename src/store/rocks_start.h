#pragma once

namespace gossamer::store {

// Makes RocksDB's global objects, unless they are there already. To be called before anything of
// RocksDB is used. Any thread.
void start_rocksdb();

}  // namespace gossamer::store
