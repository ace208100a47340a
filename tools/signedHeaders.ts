import { Webhook } from 'standardwebhooks';
import { unixSecondsOf } from '../base/isoTime.ts';

/** The headers of Standard Webhooks, signed now with each secret. A repeated request has the same `id`. */
export function signedHeaders({ id, body, secrets }: { id: string; body: string; secrets: string[] }) {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSecondsOf(at)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
