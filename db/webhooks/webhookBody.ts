import { KIB } from '../../base/limits.ts';
import type { EventObject } from '../events/readEvents.ts';

/** The largest body sent. */
export const WEBHOOK_BYTES_MAX = 256 * KIB;

/**
 * The body of a delivery: the event, always the same bytes. If it would be too large, `data` has only the type and id of its subject, and
 * `truncated`: the whole event is read by its id.
 */
export function webhookBody(event: EventObject): string {
  const whole = JSON.stringify(event);
  if (Buffer.byteLength(whole) <= WEBHOOK_BYTES_MAX) return whole;
  const { id, type } = event.resource;
  return JSON.stringify({ ...event, data: { id, object: type, truncated: true } });
}
