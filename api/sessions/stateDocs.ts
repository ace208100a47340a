import { STATE_BYTES_MAX, STATE_VERSIONS_MAX } from '../../db/sessions/sessionState.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import {
  SessionStateAnswer,
  StateBody,
  StatePatchBody,
  StateQuery,
  StateVersionPage,
  StateVersionsQuery,
} from './stateSchema.ts';

const STATE = { id: 'SessionState', schema: SessionStateAnswer };
const EDIT = { headers: headers.IF_STATE, answerHeaders: headers.ETAG, answer: STATE, errors: [412] as const };

const RACES =
  'With `If-Match` nothing is changed when the state has changed since: 412 names its version. Without it the last change wins.';

/** Documentation of the state of sessions. */
export const stateDocs = {
  retrieve: {
    tag: 'Sessions',
    summary: 'Read the state of a session',
    description:
      'A JSON object that stays from run to run. Tools of agents (`get_state`, `set_state`) and callers read and change it, also while ' +
      'a run works or waits. Before its first change it is `{}`, version 0.',
    query: StateQuery,
    answerHeaders: headers.ETAG,
    answer: STATE,
  },
  replace: {
    tag: 'Sessions',
    summary: 'Replace the state of a session',
    description: `At most ${STATE_BYTES_MAX} bytes as JSON. ${RACES}`,
    input: { id: 'SessionStateReplacement', schema: StateBody, example: { state: { step: 'draft', facts: [] } } },
    ...EDIT,
  },
  change: {
    tag: 'Sessions',
    summary: 'Change the state of a session',
    description:
      'A JSON Merge Patch (RFC 7396) of `state`: what is not in it stays. A run that waits (`requires_action`) goes on with the changed ' +
      `state. ${RACES}`,
    input: { id: 'SessionStatePatch', schema: StatePatchBody, example: { state: { step: 'review', draft: null } } },
    ...EDIT,
  },
  listVersions: {
    tag: 'Sessions',
    summary: 'List the versions of the state of a session',
    description: `Newest first: the last ${STATE_VERSIONS_MAX}, and who made them. \`GET …/state?version=\` reads one.`,
    query: StateVersionsQuery,
    answer: { id: 'SessionStateVersionPage', schema: StateVersionPage },
  },
} satisfies Record<string, RouteDoc>;
