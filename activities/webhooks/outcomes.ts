import type { AttemptResult } from '../../db/webhooks/deliveries.ts';

// Longer than the first waits between the attempts of a delivery.
const KEPT_MS = 15 * 60_000;

const counts = { delivered: 0, refused: 0, unreachable: 0, unsent: 0 };
const lastOf = new Map<string, { isDelivered: boolean; atMs: number }>();

/** Counts an attempt, and keeps the last one of each endpoint. Undefined: nothing was sent, as the secret cannot be opened here. */
export function noteAttempt(endpointId: string, result: Pick<AttemptResult, 'error' | 'statusCode'> | undefined): void {
  counts[outcomeOf(result)] += 1;
  lastOf.delete(endpointId);
  lastOf.set(endpointId, { isDelivered: outcomeOf(result) === 'delivered', atMs: performance.now() });
}

function outcomeOf(result: Pick<AttemptResult, 'error' | 'statusCode'> | undefined): keyof typeof counts {
  if (!result) return 'unsent';
  if (result.error === null) return 'delivered';
  return result.statusCode === null ? 'unreachable' : 'refused';
}

/**
 * How webhooks are delivered by this process. One broken endpoint is its owner's matter: operators look at the share of endpoints, because
 * all of them fail when the worker cannot reach the internet.
 */
export const webhookGauges = [
  {
    name: 'ledgerline_webhook_attempts_total',
    help: 'Attempts to deliver webhooks, by outcome: delivered, refused (another status than 2xx), unreachable, unsent (not signed)',
    labels: ['outcome'],
    isCounter: true as const,
    read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
  {
    name: 'ledgerline_webhook_endpoints',
    help: 'Endpoints that were tried in the last 15 minutes, by the outcome of the last attempt: delivered, failed',
    labels: ['outcome'],
    read: () => {
      forgetOld();
      const delivered = [...lastOf.values()].filter(({ isDelivered }) => isDelivered).length;
      return [
        { labels: { outcome: 'delivered' }, value: delivered },
        { labels: { outcome: 'failed' }, value: lastOf.size - delivered },
      ];
    },
  },
];

/** The oldest are first. */
function forgetOld(): void {
  for (const [endpointId, { atMs }] of lastOf) {
    if (performance.now() - atMs < KEPT_MS) return;
    lastOf.delete(endpointId);
  }
}
