import { LedgerlineError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

/** The body was not signed by this secret, or too long ago: answer 400. */
export class WebhookVerificationError extends LedgerlineError {}

type AnyHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/** Webhooks, signed as Standard Webhooks says. */
export class Webhooks {
  /**
   * The event of a webhook, once its signature is known to be right. `body` is the text or bytes as they arrived; `secret` that of the
   * endpoint, or several while one replaces another. Throws `WebhookVerificationError`.
   */
  async unwrap(
    body: string | Uint8Array,
    headers: AnyHeaders,
    secret: string | string[],
    { toleranceSeconds = 300 } = {},
  ): Promise<WebhookEvent> {
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
      const value = headerOf(headers, name);
      if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`);
      return value;
    });
    if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
      throw new WebhookVerificationError('The webhook is too old, or a clock is wrong.');
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const signed = await new Blob([`${id}.${timestamp}.`, bytes as Uint8Array<ArrayBuffer>]).arrayBuffer();
    for (const one of [secret].flat())
      if (await isSigned(signed, signatures!, one)) return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    throw new WebhookVerificationError('The signature is wrong.');
  }
}

function headerOf(headers: AnyHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value[0] : value) as string | undefined;
}

async function isSigned(signed: ArrayBuffer, signatures: string, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
  const results = signatures.split(' ').flatMap((signature) => {
    // 32 bytes: what is shorter or longer is not a signature.
    const [, given] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
    // Compares in constant time.
    return given ? [crypto.subtle.verify(algorithm, key, ofBase64(given), signed)] : [];
  });
  return (await Promise.all(results)).includes(true);
}

/** Anybody can sign with an empty key, so that an empty secret must not count. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : '';
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) && text) return ofBase64(text);
  throw new LedgerlineError('The secret of a webhook endpoint is missing or malformed: it is whsec_ and base64.');
}

/** The bytes of a text in base64. */
export const ofBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
