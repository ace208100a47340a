import type { z } from 'zod';
import { chooseMode, openWorkspace, OWNED_WORKSPACES_MAX } from '../../db/accounts/members.ts';
import { endUserSessions, listUserSessions } from '../../db/accounts/userSessions.ts';
import type { Handler } from '../context.ts';
import { providerSession } from '../../base/errors/keyErrors.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { ModeBody, SessionBody, WorkspaceBody } from './accountSchema.ts';

/** `GET list-sessions`: the person's sessions, newest first. */
export function listSessions({ db }: Services): Handler {
  return async (ctx) => {
    const member = ctx.state.member!;
    const sessions = await listUserSessions(db.everywhere, member);
    ctx.body = sessions.map((session) => ({
      id: session.id,
      // The library's clients send it back to end the session.
      token: session.id,
      createdAt: session.createdAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      ipAddress: session.ipAddress,
      userAgent: session.userAgent,
      current: session.id === member.sessionId,
    }));
  };
}

/** `POST revoke-session`: ends one session. 404 `session_not_found` also for another person's session. */
export function endSession({ db }: Services): Handler<z.output<typeof SessionBody>> {
  return async (ctx) => {
    const { id, token = id } = ctx.state.input;
    const member = ctx.state.member!;
    const ended = token === undefined ? 0 : await endUserSessions(db.everywhere, member, { id: token });
    if (ended === 0) throw notFound('You have no session with that id.', 'session_not_found');
    ctx.body = { status: true };
  };
}

/** `POST revoke-other-sessions`: ends all other sessions. */
export function endOtherSessions({ db }: Services): Handler {
  return async (ctx) => {
    const member = ctx.state.member!;
    const count = await endUserSessions(db.everywhere, member, { butId: member.sessionId });
    ctx.body = { status: true, count };
  };
}

/** `POST organization/create`: another workspace of the person, with its own account. Throws 409 `too_many_workspaces`. */
export function createWorkspace({ db }: Services): Handler<z.output<typeof WorkspaceBody>> {
  return async (ctx) => {
    const { name } = ctx.state.input;
    const { userId, sessionId, ssoWorkspaceId } = ctx.state.member!;
    if (ssoWorkspaceId !== null) throw providerSession();
    const by = { keyId: null, userId, requestId: ctx.state.requestId };
    const id = await openWorkspace(db.everywhere, { userId, sessionId, name, by });
    if (id === 'too_many')
      throw conflict('too_many_workspaces', `A person owns at most ${OWNED_WORKSPACES_MAX} workspaces.`);
    ctx.body = { id, name };
  };
}

/** `POST mode`: switches this session between the live workspace and its test workspace. */
export function switchMode({ db }: Services): Handler<z.output<typeof ModeBody>> {
  return async (ctx) => {
    const { mode } = ctx.state.input;
    ctx.body = { mode, selected: await chooseMode(db.everywhere, ctx.state.member!, mode) };
  };
}
