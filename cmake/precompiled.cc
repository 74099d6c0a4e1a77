// Nothing: the library that this makes is there for its precompiled header.
