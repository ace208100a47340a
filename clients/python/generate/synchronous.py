"""Writes the synchronous client from the asynchronous one: python3 synchronous.py <folder of the package>"""

import sys
from pathlib import Path

import unasync

NAMES = [
    "Agents",
    "Api",
    "Client",
    "ElevenLabs",
    "EventStream",
    "Files",
    "Ledgerline",
    "OpenAI",
    "RunStream",
    "Runs",
    "Transport",
]
REPLACED = {f"Async{name}": name for name in NAMES} | {
    "DefaultAsyncHttpxClient": "DefaultHttpxClient",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "aread": "read",
    "async_io": "sync_io",
}

package = Path(sys.argv[1]).resolve()
files = [str(path) for path in sorted((package / "_async").glob("*.py"))]
unasync.unasync_files(files, [unasync.Rule("/_async/", "/_sync/", additional_replacements=REPLACED)])
for path in files:
    written = Path(path.replace("/_async/", "/_sync/"))
    mark = f"# Written from _async/{written.name} by clients/python/generate: change that one.\n"
    written.write_text(mark + written.read_text().lstrip("\n"))
