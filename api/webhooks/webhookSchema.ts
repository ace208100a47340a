import { z } from 'zod';
import { TEST_EVENT_TYPE, WEBHOOK_EVENT_TYPES } from '../../db/events/eventTypes.ts';
import { eventAddressOf } from '../../orders/webhook.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { pageQuery } from '../http/page.ts';

const URL_CHARACTERS_MAX = 2048;
const ALL = '*';

const types = Object.keys(WEBHOOK_EVENT_TYPES) as [keyof typeof WEBHOOK_EVENT_TYPES];
const EventType = z.enum([ALL, ...types]);

export const NewEndpointBody = z.strictObject({
  url: z
    .string()
    .min(1)
    .max(URL_CHARACTERS_MAX)
    .describe('Where events are posted: an https address on the public internet, without a user name and password.'),
  event_types: z
    .array(EventType)
    .max(100)
    .nullish()
    .describe('The types to deliver, by name. `*`, an empty list or none: all, with those that come later.'),
  description: z.string().max(500).nullish(),
  disabled: z
    .boolean()
    .nullish()
    .describe('A disabled endpoint gets nothing, and what happens meanwhile is not sent later.'),
});

export const EndpointChangeBody = NewEndpointBody.partial();

export const RedeliveryBody = z.strictObject({
  endpoint_id: z
    .string()
    .max(100)
    .nullish()
    .describe(
      'The endpoint that gets it, whatever its types. Without one: each enabled endpoint that gets events of this type.',
    ),
});

export const EventListQuery = z.strictObject({
  ...pageQuery,
  type: EventType.exclude([ALL]).or(z.literal(TEST_EVENT_TYPE)).optional().describe('Only events of this type.'),
});

const StreamedType = z.enum([ALL, ...types, TEST_EVENT_TYPE]);

export const EventStreamQuery = z.strictObject({
  types: z
    .union([z.string().max(4_000), z.array(z.string().max(4_000)).max(100)])
    .transform((sent) => [sent].flat().flatMap((text) => text.split(',').map((name) => name.trim())))
    .pipe(z.array(StreamedType).max(100))
    .optional()
    .describe(
      'Only events of these types: repeated, or with commas between. `*`, or none: all, with those that come later.',
    ),
});

export const EndpointListQuery = z.strictObject(pageQuery);

export const DeliveryListQuery = z.strictObject({
  ...pageQuery,
  event_id: z.string().max(100).optional().describe('Only deliveries of this event.'),
  status: z.enum(['pending', 'delivered', 'failed', 'cancelled']).optional(),
});

/** The types in their stored form: empty for all. */
export function storedTypes(sent: readonly string[] | null | undefined): string[] {
  return !sent || sent.includes(ALL) ? [] : [...new Set(sent)];
}

/** The types in their public form. */
export const shownTypes = (stored: string[]): string[] => (stored.length === 0 ? [ALL] : stored);

/** Normalises an address for events. With `loopback`, also allows this machine and http. Throws 422 for an invalid one. */
export async function checkUrl(
  text: string,
  { loopback, member }: { loopback: boolean; member: string },
): Promise<string> {
  const address = await eventAddressOf(text, { loopback });
  if ('url' in address) return address.url;
  throw validationErrorAt(['body', member], address.problem);
}
