"""Indexes texts with Xapian and prints the processor time in nanoseconds.

    xapian_index.py TEXTS DATABASE

TEXTS has a title and a text per page, each after its length in eight bytes.
"""

import struct
import sys
import time

import xapian

BATCH = 400


def texts(path):
    """Yields the texts of the file."""
    with open(path, "rb") as file:
        while size := file.read(8):
            yield file.read(struct.unpack("<Q", size)[0])


def main():
    all_texts = list(texts(sys.argv[1]))
    begin = time.process_time_ns()
    database = xapian.WritableDatabase(sys.argv[2], xapian.DB_CREATE_OR_OVERWRITE)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("en"))
    for number in range(0, len(all_texts), 2):
        title, text = all_texts[number:number + 2]
        document = xapian.Document()
        generator.set_document(document)
        generator.index_text(title, 5)
        generator.increase_termpos()
        generator.index_text(text)
        document.set_data(text)
        database.add_document(document)
        if number // 2 % BATCH == BATCH - 1:
            database.commit()
    database.commit()
    database.close()
    print(time.process_time_ns() - begin)


main()
