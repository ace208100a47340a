import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from ledgerline import Ledgerline, WebhookVerificationError

client = Ledgerline()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = client.webhooks.unwrap(body, dict(self.headers), os.environ["WEBHOOK_SECRET"])
            print(event["id"], event["type"], event["data"], flush=True)
            self.send_response(204)
        except WebhookVerificationError:
            self.send_response(400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
