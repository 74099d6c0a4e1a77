"""Runs the tests of this folder with pytest: run.py [argument of pytest]..."""

import sys

try:
    import pytest
except ImportError:
    print("pytest is not installed (Debian: python3-pytest)")
    sys.exit(77)  # skipped

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
