# Written from _async/__init__.py by clients/python/generate: change that one.
