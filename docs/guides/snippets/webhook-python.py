import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from openai import InvalidWebhookSignatureError, OpenAI

client = OpenAI(api_key="unused", webhook_secret=os.environ["WEBHOOK_SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = client.webhooks.unwrap(body, dict(self.headers))
            print(event.id, event.type, event.data, flush=True)
            self.send_response(204)
        except InvalidWebhookSignatureError:
            self.send_response(400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
