import type { z } from 'zod';
import { recordEvent } from '../../db/payments/topups.ts';
import { applyEvent, type EventOutcome } from '../../providers/payments/applyEvent.ts';
import { headOf, livemodeOf } from '../../providers/payments/eventShape.ts';
import type { Payments } from '../../providers/payments/stripe.ts';
import { readBytes } from '../body/readBytes.ts';
import type { Context, Handler } from '../context.ts';
import { paymentsUnavailable } from '../../base/errors/serviceErrors.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { MIB } from '../../base/limits.ts';
import type { Services } from '../services.ts';
import type { WebhookAnswer } from './billingAnswers.ts';

const EVENT_BYTES_MAX = MIB;

// Logged for operators: money was paid but not credited.
const ALARMING: EventOutcome[] = ['unknown', 'mismatch'];

/**
 * `POST /platform/v1/billing/stripe/webhook`: an event of Stripe, signed over its raw body. It is applied before the answer: a failure is
 * answered 5xx, and Stripe retries. Signed JSON of any shape is answered 200, because a retry would have the same shape. Throws 400
 * `invalid_signature`, and 400 `wrong_mode` for a test event sent to a live installation or the reverse.
 */
export function receiveStripeEvent(services: Services): Handler {
  return async (ctx) => {
    const { payments, db, log } = services;
    if (!payments) throw paymentsUnavailable();
    const event = await readSigned(ctx, payments);
    const outcome = await applyEvent(db, event);
    const head = headOf(event);
    if (head) await recordEvent(db.pool, head, outcome);
    if (ALARMING.includes(outcome))
      log.error(
        { event: 'payment_alarm', stripeEvent: head?.id, type: head?.type, outcome },
        'a payment was not credited',
      );
    ctx.body = { received: true, outcome } satisfies z.infer<typeof WebhookAnswer>;
  };
}

async function readSigned(ctx: Context, payments: Payments): Promise<unknown> {
  const arrived = await readBytes(ctx.req, EVENT_BYTES_MAX, (encoding) =>
    invalidRequest('invalid_body', `The body is not valid ${encoding}.`),
  );
  try {
    const bytes = await arrived.bytes();
    if (!(await payments.isSigned(bytes, ctx.get('stripe-signature'))))
      throw invalidRequest(
        'invalid_signature',
        'The header Stripe-Signature does not sign this body with a secret of this installation, or is not of the last five minutes.',
      );
    const event = parseJson(bytes);
    if ((livemodeOf(event) ?? payments.isLive) === payments.isLive) return event;
    throw invalidRequest('wrong_mode', `This installation takes ${payments.isLive ? 'live' : 'test'} events only.`);
  } finally {
    arrived.drop();
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalidRequest('invalid_json', 'The body is not JSON.');
  }
}
