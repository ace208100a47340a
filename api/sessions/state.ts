import type { z } from 'zod';
import {
  changeState,
  readState,
  readStateChanges,
  type StateChange,
  type StateEdit,
  type StateVersion,
} from '../../db/sessions/sessionState.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { answerPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import { ifMatchOf } from './ifMatch.ts';
import type { SessionStateAnswer, StateBody, StatePatchBody, StateQuery, StateVersionsQuery } from './stateSchema.ts';

/** `GET /v1/sessions/{session_id}/state`: the present state, or an earlier version. Throws 404 `state_version_not_found`. */
export function retrieveState({ db }: Services): Handler<z.output<typeof StateQuery>> {
  return async (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    answer(ctx, sessionId, await readState(db.read(ctx.state.key.workspaceId), sessionId, ctx.state.input.version));
  };
}

/** `PUT /v1/sessions/{session_id}/state`: another state. Throws 412 `state_changed` and 413 `state_too_large`. */
export const replaceState = (services: Services): Handler<z.output<typeof StateBody>> =>
  editWith(services, ({ state }) => ({ put: state }));

/** `PATCH /v1/sessions/{session_id}/state`: some members. Throws as `replaceState` does. */
export const patchState = (services: Services): Handler<z.output<typeof StatePatchBody>> =>
  editWith(services, ({ state }) => ({ merge: state }));

/** `GET /v1/sessions/{session_id}/state/versions`: the kept versions without their content, newest first. */
export function listStateVersions({ db, cursors }: Services): Handler<z.output<typeof StateVersionsQuery>> {
  return (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    return answerPage(ctx, cursors, {
      list: `state of ${sessionId}`,
      read: (page) => readStateChanges(db.read(ctx.state.key.workspaceId), { sessionId, ...page }),
      present: (change) => ({ object: 'session.state_version' as const, ...presentChange(sessionId, change) }),
    });
  };
}

function editWith<Input>({ db }: Services, editOf: (input: Input) => StateEdit): Handler<Input> {
  return async (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    const ifVersion = ifMatchOf(ctx, 'state', 'the version of the state');
    const order = { sessionId, edit: editOf(ctx.state.input), ...(ifVersion !== undefined && { ifVersion }) };
    answer(ctx, sessionId, await changeState(db.write(ctx.state.key.workspaceId), order));
  };
}

function answer(ctx: Context, sessionId: string, found: StateVersion): void {
  ctx.set('etag', `"state-${found.version}"`);
  ctx.body = {
    object: 'session.state',
    ...presentChange(sessionId, found),
    state: found.state,
  } satisfies z.infer<typeof SessionStateAnswer>;
}

const presentChange = (sessionId: string, { version, sizeBytes, runId, stepId, at }: StateChange) => ({
  session_id: sessionId,
  version,
  size_bytes: sizeBytes,
  run_id: runId,
  step_id: stepId,
  changed_at: at.toISOString(),
});
