import { createHmac, randomBytes } from 'node:crypto';
import { usageError } from '../failure.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** A secret of an option, as webhook endpoints have them. */
export function checkSecret(text: string): string {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64').length;
  if (text.startsWith(PREFIX) && /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes >= 24 && bytes <= 64) return text;
  throw usageError(`A secret is ${PREFIX} and 24 to 64 bytes in base64.`, 'Without --secret one is made, and kept.');
}

/** The headers of Standard Webhooks, as the service signs its own webhooks. */
export function signedHeaders(secret: string, { id, body }: { id: string; body: string }): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'));
  const signature = hmac.update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
