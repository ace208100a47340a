import { z } from 'zod';
import { state } from '../../orders/stateOfOrder.ts';
import { STATE_VERSIONS_MAX } from '../../db/sessions/sessionState.ts';
import { pageOf } from '../http/documentedRoute.ts';
import { pageQuery } from '../http/page.ts';
import { record } from '../../base/record.ts';

const content = record(z.string(), z.unknown());

export const StateBody = z.strictObject({ state: state.describe('The whole new state, a JSON object.') });

export const StatePatchBody = z.strictObject({
  state: content.describe(
    'A JSON Merge Patch (RFC 7396): each member replaces that of the state, null deletes it, objects are merged.',
  ),
});

export const StateQuery = z.strictObject({
  version: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional()
    .describe(`An earlier version: the last ${STATE_VERSIONS_MAX} are kept.`),
});

export const StateVersionsQuery = z.strictObject({ ...pageQuery });

const change = {
  session_id: z.string(),
  version: z.int().describe('Rises by one with each change; 0 before the first.'),
  size_bytes: z.int().describe('As JSON.'),
  run_id: z.string().nullable().describe('The run whose step changed it; null: a caller.'),
  step_id: z.string().nullable(),
  changed_at: z.iso.datetime(),
};

export const SessionStateAnswer = z.object({ object: z.literal('session.state'), ...change, state: content });

export const StateVersionPage = pageOf(z.object({ object: z.literal('session.state_version'), ...change }));
