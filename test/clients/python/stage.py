"""Shared by the tests in this folder: clients of the tested platform, and messages for its scripted model."""

import json
import os

import openai

TEXT_MODEL = os.environ["TEXT_MODEL"]
EMBEDDING_MODEL = os.environ["EMBEDDING_MODEL"]
KEYS = json.loads(os.environ["API_KEYS"])


def client(key="funded", **options):
    """The official client; it refuses answers without a member that its types require."""
    return openai.OpenAI(**options_of(key, options))


def async_client(key="funded", **options):
    """The same for async calls."""
    return openai.AsyncOpenAI(**options_of(key, options))


def options_of(key, options):
    strict = {"max_retries": 0, "timeout": 300, "_strict_response_validation": True}
    return {"base_url": os.environ["BASE_URL"], "api_key": KEYS.get(key, key), **strict, **options}


def lenient_client(key="funded"):
    """For two answers that the strict client refuses even from its own vendor: text chunks without a finish reason, and
    base64 vectors, which it checks before decoding them."""
    return client(key, _strict_response_validation=False)


def counting_client(key="funded", **options):
    """A client and the list of the requests that it has sent."""
    sent = []
    http_client = openai.DefaultHttpxClient(event_hooks={"request": [sent.append]})
    return client(key, http_client=http_client, **options), sent


def told(**script):
    """A text that tells the scripted model what to do."""
    return json.dumps({"scripted": script})


def asking(**script):
    """A conversation of one message that tells the scripted model what to do."""
    return [{"role": "user", "content": told(**script)}]
