import { PUBLISHER_EVENT_TYPES, TEST_EVENT_TYPE } from '../../db/events/eventTypes.ts';
import type { EventObject } from '../../db/events/readEvents.ts';
import { rolesWith } from '../../db/keys/roles.ts';
import { hasScope } from '../../db/keys/scopes.ts';
import type { EndpointRow } from '../../db/webhooks/endpoints.ts';
import { roleNotAllowed } from '../../base/errors/keyErrors.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';

// Who publishes without the scope `manage` has endpoints for the events of agents, and no others. The types of an endpoint decide whose it is.

const managesAll = ({ state }: Context): boolean => hasScope(state.key, 'manage');

/** The types of events that a caller reads; null: all. Every member reads all. */
export const typesRead = (ctx: Context): readonly string[] | null =>
  ctx.state.member || managesAll(ctx) ? null : [...PUBLISHER_EVENT_TYPES, TEST_EVENT_TYPE];

/**
 * Whether a caller reads an event by its id: one of those that it lists, or one of a run, whose own stream has it too, with the scope
 * `agents`.
 */
export function readsEvent(ctx: Context, { type, run_id }: Pick<EventObject, 'type' | 'run_id'>): boolean {
  if (ctx.state.member || managesAll(ctx)) return true;
  if (run_id !== null) return hasScope(ctx.state.key, 'agents');
  return hasScope(ctx.state.key, 'publisher') && typesRead(ctx)!.includes(type);
}

const isOfPublisher = ({ eventTypes }: Pick<EndpointRow, 'eventTypes'>): boolean =>
  eventTypes.length > 0 && eventTypes.every((type) => PUBLISHER_EVENT_TYPES.includes(type));

/** Whether a caller sees an endpoint. */
export const seesEndpoint = (ctx: Context, endpoint: EndpointRow): boolean =>
  typesRead(ctx) === null || isOfPublisher(endpoint);

/** Throws 403 `role_not_allowed` for a member who sees an endpoint, and may not change it. */
export function checkManages(ctx: Context, endpoint: EndpointRow): void {
  if (managesAll(ctx) || isOfPublisher(endpoint)) return;
  throw roleNotAllowed(ctx.state.member!.role, rolesWith('manage'));
}

/** Throws 422 for types of events, in their stored form, that a caller may not have delivered. */
export function checkTypes(ctx: Context, eventTypes: string[]): void {
  if (managesAll(ctx) || isOfPublisher({ eventTypes })) return;
  const msg = `With the scope publisher, an endpoint names types of these: ${PUBLISHER_EVENT_TYPES.join(', ')}.`;
  throw validationErrorAt(['body', 'event_types'], msg);
}

/** Throws 422 for types of events that a caller does not read; `member` of the query names them. */
export function checkTypesRead(ctx: Context, asked: readonly string[], member: 'type' | 'types'): void {
  const types = typesRead(ctx);
  if (types === null || asked.every((type) => types.includes(type))) return;
  const msg = `With the scope publisher, the events are those of types like ${PUBLISHER_EVENT_TYPES[0]!}.`;
  throw validationErrorAt(['query', member], msg);
}
