import type Stripe from 'stripe';

/** The connection to Stripe, and the secrets that verify its events. */
export interface StripeConfig {
  secretKey: string;
  /** Several during a rotation: an event signed with any of them is valid. */
  webhookSecrets: string[];
  /** Another implementation of Stripe's API, for tests; undefined: Stripe. */
  apiUrl: string | undefined;
  /** Whether Stripe Tax adds tax to payments. */
  addsTax: boolean;
}

const TIMEOUT_MS = 20_000;
// Stripe retries an event with an expired signature, and signs it anew.
const TOLERANCE_SECONDS = 300;

/** Payments for the API and the worker. The library is loaded on first use, because loading takes a third of the API's start. */
export interface Payments {
  /** Stripe's client. Retries reuse one idempotency key, so a lost answer never orders twice. */
  open(): Promise<Stripe>;
  /** Whether a webhook's body was signed by Stripe within the last five minutes. */
  isSigned(body: Buffer, signature: string): Promise<boolean>;
  /** Whether money moves: objects and events of a test key are never mixed with those of a live key. */
  isLive: boolean;
  /** Whether Stripe Tax adds tax to payments: the balance gets the amount without it. */
  addsTax: boolean;
}

/** Creates the payments client. Nothing is loaded or called yet. */
export function createPayments({ secretKey, webhookSecrets, apiUrl, addsTax }: StripeConfig): Payments {
  let opening: Promise<Stripe> | undefined;
  const place = apiUrl === undefined ? {} : placeOf(new URL(apiUrl));

  async function open(): Promise<Stripe> {
    const { default: Library } = await import('stripe');
    return new Library(secretKey, { ...place, timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false });
  }

  async function isSigned(body: Buffer, signature: string): Promise<boolean> {
    const signedAtSeconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
    // The library accepts any future time.
    if (!(signedAtSeconds <= Date.now() / 1000 + TOLERANCE_SECONDS)) return false;
    const { default: Library } = await import('stripe');
    for (const secret of webhookSecrets) {
      try {
        // `constructEvent` throws for events of Stripe's second API.
        return Library.webhooks.signature!.verifyHeader(body, signature, secret, TOLERANCE_SECONDS);
      } catch (error) {
        if (!(error instanceof Library.errors.StripeSignatureVerificationError)) throw error;
      }
    }
    return false;
  }

  return { open: () => (opening ??= open()), isSigned, isLive: /^[sr]k_live_/.test(secretKey), addsTax };
}

/** Whether Stripe refused a request or was unreachable. */
export const isStripeError = (error: unknown): boolean =>
  /^Stripe\w*Error$/.test((error as { type?: string }).type ?? '');

/** Whether an object is not one of this account. */
export const isMissing = (error: unknown): boolean =>
  isStripeError(error) && (error as { code?: string }).code === 'resource_missing';

/** Whether Stripe Tax cannot place a customer: their address is missing or wrong. */
export const isUnplaced = (error: unknown): boolean =>
  isStripeError(error) && (error as { code?: string }).code === 'customer_tax_location_invalid';

/** Whether Stripe knows the idempotency key with other parameters. With status 409 its first request still runs. */
export const isKnownOtherwise = (error: unknown): boolean => {
  const { type, statusCode } = error as { type?: string; statusCode?: number };
  return type === 'StripeIdempotencyError' && statusCode !== 409;
};

/** Whether a request names a customer that was deleted at Stripe. */
export const isCustomerGone = (error: unknown): boolean => {
  const { code, param } = error as { code?: string; param?: string };
  // A customer that is changed is in the path: Stripe calls it `id`.
  return isStripeError(error) && code === 'resource_missing' && (param === 'customer' || param === 'id');
};

/**
 * Whether a card was declined. A card that requires confirmation counts too, because no owner can confirm an automatic payment, and so does
 * one that was removed at Stripe.
 */
export function isDecline(error: unknown): boolean {
  const { type, code = '', param } = error as { type?: string; code?: string; param?: string };
  if (type !== 'StripeInvalidRequestError') return type === 'StripeCardError';
  const isGone = code === 'resource_missing' && (param === 'payment_method' || param === 'customer');
  return isGone || code.startsWith('payment_method_');
}

function placeOf({ protocol, hostname, port }: URL) {
  return { protocol: protocol.slice(0, -1) as 'http' | 'https', host: hostname, port };
}
