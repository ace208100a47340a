import type { components } from '../api/openapi.d.ts';
import type { Snippet } from '../parts/CodeSnippets.tsx';
import type { Tone } from '../parts/Status.tsx';
import { isOfPublisher } from './eventTypes.ts';

type Schemas = components['schemas'];

export type Endpoint = Schemas['WebhookEndpoint'];
export type Delivery = Schemas['WebhookDeliveryPage']['data'][number];
export type NewEndpoint = Schemas['NewWebhookEndpoint'];

const ALL = '*';

/** Whether a person may add endpoints: who publishes, those for the events of agents. */
export const mayAddEndpoints = (scopes: readonly string[]): boolean =>
  scopes.includes('manage') || scopes.includes('publisher');

/** Whether a person may change this endpoint. */
export const mayChange = (scopes: readonly string[], { event_types: types }: Endpoint): boolean =>
  scopes.includes('manage') || (scopes.includes('publisher') && types.every(isOfPublisher));

export const isForAll = ({ event_types: types }: Endpoint): boolean => types.includes(ALL);

/** `All events`, or the number of chosen types. */
export function eventsText(endpoint: Endpoint): string {
  if (isForAll(endpoint)) return 'All events';
  const { length } = endpoint.event_types;
  return length === 1 ? endpoint.event_types[0]! : `${length} types`;
}

const REASONS = {
  requested: undefined,
  gone: 'Its answer 410 disabled it',
  failing: 'No delivery succeeded for days',
};

/** The state of an endpoint. */
export function stateOf({ disabled, disabled_reason: reason, failing_since: since }: Endpoint): {
  tone: Tone;
  word: string;
  reason?: string;
} {
  if (disabled) return { tone: 'held', word: 'Disabled', reason: reason === null ? undefined : REASONS[reason] };
  return since === null ? { tone: 'good', word: 'Active' } : { tone: 'bad', word: 'Failing' };
}

/** How a receiver verifies a delivery. The secret is in its environment. */
export const receivers: Snippet[] = [
  {
    label: 'Python',
    code: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/webhooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), request.headers)
    except WebhookVerificationError:
        return "", 400
    print(event["type"])
    return "", 204`,
  },
  {
    label: 'Node',
    code: `import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers);
    console.log(event.type);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(3000);`,
  },
];
