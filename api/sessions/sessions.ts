import type { z } from 'zod';
import { answerPage } from '../http/page.ts';
import {
  insertSession,
  removeSession,
  findSession,
  readSessions,
  type SessionState,
} from '../../db/sessions/sessions.ts';
import type { Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import type { Services } from '../services.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import type { Session } from './sessionAnswers.ts';
import type { NewSessionBody, SessionListQuery } from './sessionSchema.ts';

const LIST = 'sessions';

/** `POST /v1/sessions`: an empty session. */
export function createSession({ db }: Services): Handler<z.output<typeof NewSessionBody>> {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const { title = null, metadata = {}, state } = ctx.state.input;
    const id = ctx.state.resourceId;
    // Read in the transaction that stores it: an error after the commit would make the caller create another one.
    const made = await db.write(workspaceId).transaction(async (tx) => {
      await insertSession(tx, { id, title, metadata }, state);
      return findSession(tx, id);
    });
    ctx.status = 201;
    ctx.set('location', `/v1/sessions/${id}`);
    ctx.body = presentSession(made);
  };
}

/** `GET /v1/sessions`: newest first, in pages. */
export function listSessions({ db, cursors }: Services): Handler<z.output<typeof SessionListQuery>> {
  return (ctx) =>
    answerPage(ctx, cursors, {
      list: LIST,
      read: async (page) => {
        const { sessions, hasMore } = await readSessions(db.read(ctx.state.key.workspaceId), page);
        return { rows: sessions, hasMore };
      },
      present: presentSession,
    });
}

/** `GET /v1/sessions/{session_id}` */
export function retrieveSession({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'session_id');
    ctx.body = presentSession(await findSession(db.read(ctx.state.key.workspaceId), id));
  };
}

/** `DELETE /v1/sessions/{session_id}`: deletes its files too. 409 `session_busy` while one of its runs has not ended. */
export function deleteSession({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'session_id');
    await removeSession(db.write(ctx.state.key.workspaceId), id);
    ctx.body = { id, object: 'session', deleted: true } satisfies DeletedThing;
  };
}

function presentSession(session: SessionState): z.infer<typeof Session> {
  return {
    id: session.id,
    object: 'session',
    title: session.title,
    status: session.isBusy ? 'busy' : 'idle',
    active_run_id: session.activeRunId,
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
    metadata: session.metadata,
  };
}
