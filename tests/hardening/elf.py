"""Reads ELF files, as far as the tests of hardening need it: 64 bits, little-endian."""

import struct

DYNAMIC_PROGRAM = 3  # ET_DYN

EXECUTABLE, WRITABLE = 1, 2  # PF_X, PF_W
LOADED, STACK, READ_ONLY_LATER = 1, 0x6474E551, 0x6474E552  # PT_LOAD, PT_GNU_STACK, PT_GNU_RELRO

DYNAMIC, DYNAMIC_SYMBOLS = 6, 11  # SHT_DYNAMIC, SHT_DYNSYM

NEEDED, BIND_NOW, FLAGS, FLAGS_1 = 1, 24, 30, 0x6FFFFFFB  # DT_...
FLAG_BIND_NOW, FLAG_1_NOW, FLAG_1_PIE = 0x8, 0x1, 0x08000000


class Elf:
    """One program. Its members are what it says about itself."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path} is not an ELF file of 64 bits")
        head = struct.unpack_from("<HHIQQQIHHHHHH", self.bytes, 16)
        self.type = head[0]
        self.segments = self._segments(head[4], head[8], head[9])
        self._sections = self._read_sections(head[5], head[10], head[11])
        self.dynamic = self._dynamic()
        self.imports = self._imports()

    def _segments(self, offset, size, count):
        """Pairs of type and flags."""
        return [
            struct.unpack_from("<II", self.bytes, offset + i * size) for i in range(count)
        ]

    def _read_sections(self, offset, size, count):
        """(type, offset, size, number of the section with its names)"""
        sections = []
        for i in range(count):
            fields = struct.unpack_from("<IIQQQQI", self.bytes, offset + i * size)
            sections.append((fields[1], *fields[4:7]))
        return sections

    def _of_type(self, kind):
        return [section for section in self._sections if section[0] == kind]

    def _name(self, names, offset):
        start = self._sections[names][1] + offset
        return self.bytes[start : self.bytes.index(b"\0", start)].decode()

    def _dynamic(self):
        """The entries of the dynamic section: {tag: [value, ...]}; names of needed libraries."""
        entries = {}
        for _, offset, size, names in self._of_type(DYNAMIC):
            for tag, value in struct.iter_unpack("<QQ", self.bytes[offset : offset + size]):
                value = self._name(names, value) if tag == NEEDED else value
                entries.setdefault(tag, []).append(value)
        return entries

    def _imports(self):
        """The names of symbols that other files define."""
        found = set()
        for _, offset, size, names in self._of_type(DYNAMIC_SYMBOLS):
            for row in struct.iter_unpack("<IBBHQQ", self.bytes[offset : offset + size]):
                if row[3] == 0:  # of no section of this file
                    found.add(self._name(names, row[0]))
        return found

    def has_flag(self, tag, flag):
        return any(value & flag for value in self.dynamic.get(tag, []))
