"""The types of all requests and answers, generated from /openapi.json: `from ledgerline.types import Run`."""

from .generated.types import *  # noqa: F403
