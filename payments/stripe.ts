import type Stripe from 'stripe';

export type StripeEvent = Stripe.Event;

/** How Stripe is reached, and what its events are signed with. */
export interface StripeConfig {
  secretKey: string;
  /** Several while one is rotated: an event signed with any of them counts. */
  webhookSecrets: string[];
  /** Another address that speaks Stripe's API, for tests; undefined: Stripe. */
  apiUrl: string | undefined;
}

const TIMEOUT_MS = 20_000;
// Stripe retries an event that arrives with an old signature, signed anew.
const TOLERANCE_SECONDS = 300;

/** Payments as the API and the worker use them. The library is loaded at the first use: it takes a third of the API's start. */
export interface Payments {
  /** Stripe's client. Its requests are retried with one idempotency key, so that a lost answer orders nothing twice. */
  open(): Promise<Stripe>;
  /** The event in a webhook's body. Undefined: not signed with any of the secrets, or not within five minutes of now. */
  readEvent(body: Buffer, signature: string): Promise<StripeEvent | undefined>;
  /** Whether money moves: objects and events of a test key are never mixed with those of a live key. */
  isLive: boolean;
}

/** Makes what orders and checks payments. Nothing is loaded or called yet. */
export function createPayments({ secretKey, webhookSecrets, apiUrl }: StripeConfig): Payments {
  let opening: Promise<Stripe> | undefined;
  const place = apiUrl === undefined ? {} : placeOf(new URL(apiUrl));

  async function open(): Promise<Stripe> {
    const { default: Library } = await import('stripe');
    return new Library(secretKey, { ...place, timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false });
  }

  async function readEvent(body: Buffer, signature: string): Promise<StripeEvent | undefined> {
    const signedAtSeconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
    // The library accepts a time of the future, however far.
    if (!(signedAtSeconds <= Date.now() / 1000 + TOLERANCE_SECONDS)) return undefined;
    const { default: Library } = await import('stripe');
    for (const secret of webhookSecrets) {
      try {
        return Library.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
      } catch (error) {
        if (!(error instanceof Library.errors.StripeSignatureVerificationError)) throw error;
      }
    }
    return undefined;
  }

  return { open: () => (opening ??= open()), readEvent, isLive: /^[sr]k_live_/.test(secretKey) };
}

/** Whether Stripe refused a request, or could not be reached. */
export const isStripeError = (error: unknown): boolean =>
  /^Stripe\w*Error$/.test((error as { type?: string }).type ?? '');

/** Whether a card was declined. One that asks its owner to confirm counts: an automatic payment has no owner at hand. */
export const isDecline = (error: unknown): boolean => (error as { type?: string }).type === 'StripeCardError';

function placeOf({ protocol, hostname, port }: URL) {
  return { protocol: protocol.slice(0, -1) as 'http' | 'https', host: hostname, port };
}
