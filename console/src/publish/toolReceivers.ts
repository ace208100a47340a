import type { Snippet } from '../parts/CodeSnippets.tsx';

/** Code that checks the signature of a call and answers it. The secret is in its environment. */
export const toolReceivers: Snippet[] = [
  {
    label: 'Python',
    code: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["TOOL_SECRET"])

@app.post("/tools")
def answer():
    try:
        call = webhook.verify(request.get_data(), request.headers)
    except WebhookVerificationError:
        return "", 400
    print(call["tool"], call["arguments"])
    return {"state": "shipped"}`,
  },
  {
    label: 'Node',
    code: `import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const webhook = new Webhook(process.env.TOOL_SECRET);

createServer(async (request, response) => {
  try {
    const call = webhook.verify(await text(request), request.headers);
    console.log(call.tool, call.arguments);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ state: 'shipped' }));
  } catch {
    response.writeHead(400).end();
  }
}).listen(3000);`,
  },
];
