import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from openai import InvalidWebhookSignatureError, OpenAI

client = OpenAI(api_key="unused", webhook_secret=os.environ["TOOL_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            client.webhooks.verify_signature(body, dict(self.headers))
        except (InvalidWebhookSignatureError, ValueError):
            return self.send_error(400)
        call = json.loads(body)
        print(call["id"], call["tool"], call["arguments"], flush=True)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"order": call["arguments"]["order"], "state": "shipped"}).encode())


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
