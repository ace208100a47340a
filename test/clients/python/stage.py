"""What the tests in this folder share: clients of the platform that is under test, and words for its scripted model."""

import json
import os

import openai

TEXT_MODEL = os.environ["TEXT_MODEL"]
EMBEDDING_MODEL = os.environ["EMBEDDING_MODEL"]
KEYS = json.loads(os.environ["API_KEYS"])


def client(key="funded", **options):
    """The official client; it refuses every answer that lacks a member which its types require."""
    return openai.OpenAI(**options_of(key, options))


def async_client(key="funded", **options):
    """The same for calls that are awaited."""
    return openai.AsyncOpenAI(**options_of(key, options))


def options_of(key, options):
    strict = {"max_retries": 0, "timeout": 300, "_strict_response_validation": True}
    return {"base_url": os.environ["BASE_URL"], "api_key": KEYS.get(key, key), **strict, **options}


def lenient_client(key="funded"):
    """For the two answers that the strict client refuses from its own vendor too: text chunks without a finish reason, and
    vectors in base64, which it checks before it decodes them."""
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
