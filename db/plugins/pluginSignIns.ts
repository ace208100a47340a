import type { InferEntity } from '@mikro-orm/core';
import type { PluginSignIn, PluginSignInAttempt } from '../entities/plugin.ts';
import { newId } from '../ids.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import { takeTurn } from '../postgres/transaction.ts';
import type { Actor } from '../workspaces/audit.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { auditPlugin } from './plugins.ts';
import { resealForWorker, sealForWorker, type SecretOpener } from '../sealing/secretBox.ts';

export type SignInRow = InferEntity<typeof PluginSignIn>;
export type AttemptRow = InferEntity<typeof PluginSignInAttempt>;

/** Stores that a member begins to sign in to a plugin; it is valid for ten minutes. Returns the attempt's id. */
export async function beginAttempt(
  rows: Rows,
  begun: Pick<AttemptRow, 'pluginId' | 'pluginVersion' | 'userId' | 'sessionId' | 'stateHash' | 'redirectUrl'>,
): Promise<string> {
  const id = newId('psi');
  await rows.statement(({ em, PluginSignInAttempt, sql, workspaceId }) => {
    const expiresAt = sql`now() + interval '10 minutes'`;
    return em
      .qb(PluginSignInAttempt)
      .insert({ ...begun, id, workspaceId, expiresAt })
      .execute('run');
  });
  return id;
}

/** Reads an attempt to sign in; undefined when there is none. */
export const findAttempt = async (rows: AnyRows, id: string): Promise<AttemptRow | undefined> =>
  (await rows.statement(({ em, PluginSignInAttempt }) => em.findOne(PluginSignInAttempt, { id }))) ?? undefined;

/** Stores where the member signs in, and the data for the later code exchange, sealed for the worker. */
export function askAttempt(
  everywhere: Rows<undefined>,
  attempt: AttemptRow,
  { authorizationUrl, begun }: { authorizationUrl: string; begun: object },
): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const sealed = (await sealForWorker(tx, JSON.stringify(begun), attemptOwnerOf(attempt)))!;
    const asked = { state: 'asked' as const, authorizationUrl, sealed };
    await tx.em.nativeUpdate(tx.PluginSignInAttempt, { id: attempt.id, state: 'begun' }, asked);
  });
}

/** The authorization server's answer, brought by the user: a code, or the reason why there is none. */
export type SignInAnswer = { code: string; iss?: string } | { error: string };

/**
 * Takes the answer to a sign-in, once, in the session that began it, within its time. It is sealed for the worker. Undefined when no such
 * sign-in is pending.
 */
export function answerAttempt(
  rows: Rows,
  { stateHash, sessionId, answer }: { stateHash: string; sessionId: string; answer: SignInAnswer },
): Promise<AttemptRow | undefined> {
  return rows.transaction(async (tx) => {
    const { em, PluginSignInAttempt, LockMode, sql } = tx;
    const waiting = { stateHash, sessionId, state: 'asked' as const, expiresAt: { $gt: sql.now() } };
    const attempt = await em.findOne(PluginSignInAttempt, waiting, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!attempt) return undefined;
    const change =
      'error' in answer
        ? { state: 'failed' as const, failure: refusalOf(answer.error), sealed: null }
        : {
            state: 'answered' as const,
            answer: (await sealForWorker(tx, JSON.stringify(answer), attemptOwnerOf(attempt)))!,
          };
    await em.nativeUpdate(PluginSignInAttempt, { id: attempt.id }, change);
    return { ...attempt, ...change };
  });
}

const refusalOf = (error: string): string =>
  error === 'access_denied' ? 'The access was not granted.' : `The authorization server refused it: ${error}.`;

/** Opens what an attempt has stored for the worker. */
export function openAttempt(box: SecretOpener, attempt: AttemptRow): { begun: unknown; answer: unknown } {
  const [begun, answer] = [attempt.sealed!, attempt.answer!].map((one) =>
    JSON.parse(box.open(one, attemptOwnerOf(attempt))),
  ) as [unknown, unknown];
  return { begun, answer };
}

const DISCONNECTED = 'The plugin was disconnected meanwhile. Begin again.';

const failedAs = (failure: string) => ({ state: 'failed' as const, failure, sealed: null, answer: null });

/** Ends an attempt without a sign-in. */
export async function failAttempt(everywhere: AnyRows, id: string, failure: string): Promise<void> {
  await everywhere.statement(({ em, PluginSignInAttempt }) =>
    em.nativeUpdate(PluginSignInAttempt, { id, state: { $ne: 'connected' } }, failedAs(failure)),
  );
}

/** Tokens of a workspace, with their displayed data. */
export interface NewSignIn {
  url: string;
  issuer: string;
  /** The data with which the worker uses and renews it. */
  content: object;
  expiresAt: Date | null;
  scope: string | null;
  account: string | null;
}

/**
 * Connects the workspace of an attempt to its plugin. An earlier sign-in is replaced, and stays with the attempt until a worker has revoked
 * its tokens. Audited. False: the attempt has failed, because the workspace disconnected the plugin.
 */
export function connectPlugin(
  everywhere: Rows<undefined>,
  attempt: AttemptRow,
  { content, ...shown }: NewSignIn,
): Promise<boolean> {
  return everywhere.transaction(async (tx) => {
    const { em, client, PluginSignIn, PluginSignInAttempt, LockMode, sql } = tx;
    const { workspaceId, pluginId, pluginVersion, userId } = attempt;
    await takeTurn(client, turnOf(attempt));
    if (await em.findOne(PluginSignInAttempt, { id: attempt.id, state: 'failed' })) return false;
    // Locked, so that a renewal stores its tokens before, or finds another sign-in.
    const earlier = { workspaceId, pluginId, state: { $ne: 'ended' as const } };
    const replaced = await em.findOne(PluginSignIn, earlier, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const toRevoke = replaced && JSON.stringify(pickReplaced(replaced));
    const sealed = (await sealForWorker(tx, JSON.stringify(content), signInOwnerOf(attempt)))!;
    const row = {
      ...shown,
      workspaceId,
      pluginId,
      pluginVersion,
      userId,
      sealed,
      state: 'connected' as const,
      renewingUntil: null,
    };
    await em
      .qb(PluginSignIn)
      .insert({ ...row, connectedAt: sql.now() })
      .onConflict(['workspaceId', 'pluginId'])
      .merge({ ...row, connectedAt: sql.now(), version: sql`plugin_sign_ins.version + 1` })
      .execute('run');
    const kept = toRevoke && (await sealForWorker(tx, toRevoke, attemptOwnerOf(attempt)))!;
    const done = { state: 'connected' as const, sealed: kept, answer: null };
    await em.nativeUpdate(PluginSignInAttempt, { id: attempt.id }, done);
    const by = { keyId: null, userId, requestId: attempt.id };
    const { issuer, account } = shown;
    await auditPlugin(tx, by, { workspaceId, action: 'sign_in_to_plugin', pluginId, detail: { issuer, account } });
    return true;
  }, attempt.workspaceId);
}

/** A sign-in that another has replaced. */
export type ReplacedSignIn = Pick<SignInRow, 'workspaceId' | 'pluginId' | 'pluginVersion' | 'url' | 'sealed'>;

const pickReplaced = (row: SignInRow): ReplacedSignIn => {
  const { workspaceId, pluginId, pluginVersion, url, sealed } = row;
  return { workspaceId, pluginId, pluginVersion, url, sealed };
};

/** Opens the sign-in that an attempt has replaced; undefined when there is none to revoke. */
export const openReplaced = (box: SecretOpener, attempt: AttemptRow): ReplacedSignIn | undefined =>
  attempt.state === 'connected' && attempt.sealed !== null
    ? (JSON.parse(box.open(attempt.sealed, attemptOwnerOf(attempt))) as ReplacedSignIn)
    : undefined;

/** Deletes the sign-in that an attempt has replaced. */
export async function deleteReplaced(everywhere: AnyRows, { id }: AttemptRow): Promise<void> {
  await everywhere.statement(({ em, PluginSignInAttempt }) =>
    em.nativeUpdate(PluginSignInAttempt, { id, state: 'connected' }, { sealed: null }),
  );
}

interface Place {
  workspaceId: string;
  pluginId: string;
}

// Connecting and disconnecting take turns, so that one finds what the other has done.
const turnOf = ({ workspaceId, pluginId }: Place): string => `sign-in of ${workspaceId} to ${pluginId}`;

/** The sign-in of a workspace to a plugin, in any state. */
export const findSignIn = async (rows: AnyRows, { workspaceId, pluginId }: Place): Promise<SignInRow | undefined> =>
  (await rows.statement(({ em, PluginSignIn }) => em.findOne(PluginSignIn, { workspaceId, pluginId }))) ?? undefined;

/** Whether a process renews the tokens of a sign-in, by the clock that the claim was made with. */
export const isBeingRenewed = (rows: AnyRows, { workspaceId, pluginId }: Place): Promise<boolean> =>
  rows.statement(async ({ em, PluginSignIn, sql }) => {
    const renewing = { workspaceId, pluginId, renewingUntil: { $gt: sql.now() } };
    return (await em.count(PluginSignIn, renewing)) > 0;
  });

/** Disconnected sign-ins whose tokens are still there, some at a time. */
export const listRevoking = (everywhere: Rows<undefined>): Promise<Place[]> =>
  everywhere.statement(({ em, PluginSignIn }) =>
    em.find(PluginSignIn, { state: 'revoking' }, { fields: ['workspaceId', 'pluginId'], limit: 100 }),
  );

/** The sign-ins of a workspace to plugins, in any state. */
export const listSignIns = (rows: Rows): Promise<SignInRow[]> =>
  rows.statement(({ em, PluginSignIn, workspaceId }) => em.find(PluginSignIn, { workspaceId }));

/** Opens what a sign-in has stored for the worker. */
export const openSignIn = (box: SecretOpener, row: Place & Pick<SignInRow, 'sealed'>): unknown =>
  JSON.parse(box.open(row.sealed, signInOwnerOf(row)));

/** Claims the renewal of tokens for this process, for half a minute. False: they have changed, or another process renews them. */
export async function claimRenewal(
  everywhere: AnyRows,
  { workspaceId, pluginId, version }: SignInRow,
): Promise<boolean> {
  const claimed = await everywhere.statement(({ em, PluginSignIn, sql }) =>
    em.nativeUpdate(
      PluginSignIn,
      {
        workspaceId,
        pluginId,
        version,
        state: 'connected',
        $or: [{ renewingUntil: null }, { renewingUntil: { $lt: sql.now() } }],
      },
      { renewingUntil: sql`now() + interval '30 seconds'` },
    ),
  );
  return claimed === 1;
}

/**
 * Ends a claimed renewal: with new tokens, with the end of the access, or, without either, for another attempt. Returns where the tokens are
 * now: in use, with the sign-in that is being revoked, or nowhere, because the sign-in is another one by now, or none.
 */
export function endRenewal(
  everywhere: Rows<undefined>,
  { workspaceId, pluginId, version }: SignInRow,
  end: { content: object; expiresAt: Date | null } | 'ended' | 'failed',
): Promise<'used' | 'revoking' | 'nowhere'> {
  return everywhere.transaction(async (tx) => {
    const { em, PluginSignIn } = tx;
    const tokens =
      typeof end === 'string'
        ? {}
        : {
            sealed: (await sealForWorker(tx, JSON.stringify(end.content), signInOwnerOf({ workspaceId, pluginId })))!,
            expiresAt: end.expiresAt,
            version: version + 1,
          };
    const change = { ...tokens, renewingUntil: null };
    const endIn = (state: SignInRow['state'], more: { state?: 'ended' } = {}) =>
      em.nativeUpdate(PluginSignIn, { workspaceId, pluginId, version, state }, { ...change, ...more });
    if ((await endIn('connected', end === 'ended' ? { state: end } : {})) === 1) return 'used';
    return (await endIn('revoking')) === 1 ? 'revoking' : 'nowhere';
  });
}

/**
 * Ends a workspace's use of a sign-in at once, audited; a worker then revokes and deletes it. One whose code is being exchanged fails. False:
 * there is none.
 */
export function disconnectPlugin(rows: Rows, by: Actor, pluginId: string): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { em, client, PluginSignIn, PluginSignInAttempt, workspaceId } = tx;
    const place = { workspaceId, pluginId };
    await takeTurn(client, turnOf(place));
    await em.nativeUpdate(PluginSignInAttempt, { pluginId, state: 'answered' }, failedAs(DISCONNECTED));
    const live = { ...place, state: { $ne: 'revoking' as const } };
    const changed = await em.nativeUpdate(PluginSignIn, live, { state: 'revoking' });
    if (changed === 1) await auditPlugin(tx, by, { workspaceId, action: 'disconnect_plugin', pluginId });
    return changed === 1 || (await em.count(PluginSignIn, place)) === 1;
  });
}

/** Deletes a revoked sign-in, unless the workspace has connected again. */
export async function deleteRevoked(everywhere: AnyRows, { workspaceId, pluginId }: Place): Promise<void> {
  await everywhere.statement(({ em, PluginSignIn }) =>
    em.nativeDelete(PluginSignIn, { workspaceId, pluginId, state: 'revoking' }),
  );
}

// A copy in another row cannot be opened.
const attemptOwnerOf = ({ id, workspaceId, pluginId }: AttemptRow) =>
  JSON.stringify([workspaceId, pluginId, 'attempt', id]);
const signInOwnerOf = ({ workspaceId, pluginId }: Place) => JSON.stringify([workspaceId, pluginId, 'sign-in']);

/** Reseals for the worker's first key all sign-ins sealed for an older key, so that the older key can be removed. */
export function resealSignIns(everywhere: Rows<undefined>, box: SecretOpener): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { em, PluginSignIn, LockMode } = tx;
    for (const row of await em.find(PluginSignIn, {}, { lockMode: LockMode.PESSIMISTIC_WRITE })) {
      const { workspaceId, pluginId } = row;
      const sealed = await resealForWorker(tx, box, { sealed: row.sealed, owner: signInOwnerOf(row) });
      if (sealed) await em.nativeUpdate(PluginSignIn, { workspaceId, pluginId }, { sealed });
    }
  });
}

/** Deletes expired attempts. Returns how many. */
export const pruneAttempts = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'plugin_sign_in_attempts', "expires_at < now() - interval '1 hour'"),
  );
