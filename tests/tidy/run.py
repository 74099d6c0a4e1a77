"""Runs the tests of this folder: run.py [MODULE...]. Exits with 77 if one was skipped."""

import pathlib
import sys
import unittest

import case


def main(names):
    folder = str(pathlib.Path(__file__).parent)
    loader = unittest.TestLoader()
    if names:
        suite = loader.loadTestsFromNames(names)
    else:
        suite = loader.discover(folder, pattern="*_test.py", top_level_dir=folder)
    result = unittest.TextTestRunner(verbosity=1, buffer=True).run(suite)
    if not result.wasSuccessful():
        return 1
    if result.testsRun == 0:
        print("there are no such tests")
        return 1
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    return case.SKIPPED_EXIT_CODE if result.skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
