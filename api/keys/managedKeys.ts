import type { z } from 'zod';
import {
  updateKey,
  findKeyImpact,
  makeKey,
  revokeOwnKey,
  replaceSecret,
  type KeyChange,
  type KeyRefusal,
  type Manager,
} from '../../db/keys/manageKeys.ts';
import type { Key } from '../../db/keys/keys.ts';
import { findKeyOwner } from '../../db/keys/keyStore.ts';
import { limitRemainingNanosOf, readKeysUsage, readKeyUsage } from '../../db/keys/keyUsage.ts';
import { storedProjectOf } from '../../db/workspaces/defaultProject.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { openTestWorkspace } from '../../db/testMode/testMode.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { pathId } from '../body/parseWith.ts';
import { roleNotAllowed, scopeNotGrantable } from '../../base/errors/keyErrors.ts';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { canonicalRange } from '../guard/allowedAddress.ts';
import { seenBy } from '../guard/projects.ts';
import { projectNotFound } from '../projects/projects.ts';
import { makeOnce } from '../guard/idempotency.ts';
import { answerPage } from '../http/page.ts';
import { grantableScopes, KEY_SCOPES } from '../../db/keys/grants.ts';
import { presentKey } from './keys.ts';
import { cancelRunsOfRevoked } from '../runs/cancelRun.ts';
import type { Services } from '../services.ts';
import type { KeyChangeBody, ManagedKeyQuery, NewKeyBody, RotationBody } from './keySchema.ts';
import type { KeyImpact, ManagedKey } from './keyAnswers.ts';

const DEFAULT_SCOPES = ['llm', 'voice', 'batch'] as const;

/** `GET /console/v1/keys`: the keys of the workspace, newest first, with their management data. */
export function listManagedKeys({ db, cursors }: Services): Handler<z.output<typeof ManagedKeyQuery>> {
  return async (ctx) => {
    const { key: calling, input } = ctx.state;
    const { search: words, status, scope, project, owner_user_id: ownerUserId } = input;
    const projectId = project === undefined ? undefined : storedProjectOf(project);
    await db.ledger.posted();
    await answerPage(ctx, cursors, {
      list: `keys ${JSON.stringify([words, status, scope, project, ownerUserId])}`,
      read: (page) => readKeysUsage(seenBy(db, calling), { words, status, scope, projectId, ownerUserId, ...page }),
      present: (key) => present(key, calling.keyId),
    });
  };
}

/**
 * `POST /console/v1/keys`: creates a key and shows its secret only in this answer. The secret is not stored: a retry with the same
 * `Idempotency-Key` finds the key and answers without the secret.
 */
export function createManagedKey(services: Services): Handler<z.output<typeof NewKeyBody>> {
  const { db } = services;
  return async (ctx) => {
    const input = ctx.state.input;
    const { keyId, name } = ctx.state.key;
    checkLogDays(ctx, services, input.log_days);
    const workspaceId = await workspaceOf(ctx, services, input.mode);
    const ownerUserId = ctx.state.member?.userId ?? (await findKeyOwner(db.everywhere, keyId));
    const createdBy = ctx.state.member?.name ?? name;
    const grantable = grantableScopes(ctx.state.key);
    const scopes = input.scopes ?? DEFAULT_SCOPES.filter((scope) => grantable.has(scope));
    checkScopes(scopes, grantable);
    const projectId = projectOfNew(ctx.state.key, input.project_id, workspaceId);
    const key = { name: input.name, ...(await limitsOf(input)), scopes, createdBy, ownerUserId, projectId };
    const order = { prefix: 'key', request: input, key: ctx.req.headers['idempotency-key'] };
    await makeOnce(ctx, db, order, async (id) => {
      const made = await makeKey(db.write(workspaceId), { id, by: actorOf(ctx), ...key });
      if (typeof made === 'string') throw refusalOf(made, id, input.project_id);
      if (made.secret === null) ctx.set('idempotent-replayed', 'true');
      ctx.status = 201;
      ctx.body = { ...present(made.key, keyId), key: made.secret };
    });
  };
}

/** `PATCH /console/v1/keys/{key_id}`: changes the sent members; null removes a limit. */
export function changeManagedKey(services: Services): Handler<z.output<typeof KeyChangeBody>> {
  const { db } = services;
  return async (ctx) => {
    const { name, scopes, project_id: project, ...limits } = ctx.state.input;
    const by = managerOf(ctx);
    checkLogDays(ctx, services, limits.log_days);
    if (scopes) checkScopes(scopes, by.grantable);
    const id = await seenKey(ctx, services);
    const change: KeyChange = {
      ...(await limitsOf(limits)),
      ...(name && { name }),
      ...(scopes && { scopes }),
      ...(project !== undefined && { projectId: seenProject(ctx.state.key, project) }),
    };
    const { defaults } = services.limits;
    await db.ledger.posted();
    const changed = await updateKey(db.write(ctx.state.key.workspaceId), id, { change, by, defaults });
    if (typeof changed === 'string') throw refusalOf(changed, id, project);
    ctx.body = present(changed, ctx.state.key.keyId);
  };
}

/** `POST /console/v1/keys/{key_id}/rotate`: a new secret for the same key, shown only here; earlier secrets expire after a while. */
export function rotateManagedKey(services: Services): Handler<z.output<typeof RotationBody>> {
  const { db } = services;
  return async (ctx) => {
    const { grace_seconds: graceSeconds } = ctx.state.input;
    const id = await seenKey(ctx, services);
    // Before the change: an error after it would lose the secret.
    await db.ledger.posted();
    const rotated = await replaceSecret(db.write(ctx.state.key.workspaceId), id, { graceSeconds, by: managerOf(ctx) });
    if (typeof rotated === 'string') throw refusalOf(rotated, id);
    const { secret, previousExpiresAt, key } = rotated;
    ctx.body = {
      ...present(key, ctx.state.key.keyId),
      previous_expires_at: previousExpiresAt.toISOString(),
      key: secret,
    };
  };
}

/** `DELETE /console/v1/keys/{key_id}`: revokes the key, everywhere within a second. Its usage stays; its runs are cancelled. */
export function revokeManagedKey(services: Services): Handler {
  const { db } = services;
  return async (ctx) => {
    const id = await seenKey(ctx, services);
    const { workspaceId } = ctx.state.key;
    if (!(await revokeOwnKey(db.write(workspaceId), id, actorOf(ctx)))) throw keyNotFound(id);
    await cancelRunsOfRevoked(services, workspaceId);
    ctx.body = await read(services, ctx, id);
  };
}

/** `GET /console/v1/keys/{key_id}/impact`: the effects of a revocation. */
export function retrieveKeyImpact({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'key_id');
    await db.ledger.posted();
    const impact = await findKeyImpact(seenBy(db, ctx.state.key), id);
    if (!impact) throw keyNotFound(id);
    ctx.body = {
      requests_last_day: impact.requestsLastDay,
      runs_open: impact.runsOpen,
      last_used_at: impact.lastUsedAt?.toISOString() ?? null,
    } satisfies z.infer<typeof KeyImpact>;
  };
}

/** The id in the path. Throws 404 for a key that the caller does not see. */
export async function seenKey(ctx: Context, { db }: Pick<Services, 'db'>): Promise<string> {
  const id = pathId(ctx, 'key_id');
  if (ctx.state.key.seesProjects && !(await readKeyUsage(seenBy(db, ctx.state.key), id))) throw keyNotFound(id);
  return id;
}

/** The project of a new key: without one, the first that the caller is limited to. In test mode nobody is limited. */
function projectOfNew(key: Key, wanted: string | undefined, workspaceId: string): string | null {
  if (workspaceId !== key.workspaceId) return wanted === undefined ? null : storedProjectOf(wanted);
  return wanted === undefined ? (key.seesProjects?.[0] ?? null) : seenProject(key, wanted);
}

/** A project in its stored form. Throws 404 for one that the caller does not see. */
function seenProject({ seesProjects }: Key, wanted: string): string | null {
  if (seesProjects && !seesProjects.includes(wanted)) throw projectNotFound(wanted, 'project_id');
  return storedProjectOf(wanted);
}

const managerOf = (ctx: Context): Manager => ({ ...actorOf(ctx), grantable: grantableScopes(ctx.state.key) });

/** Owners, and keys that manage, decide that contents are kept; any manager may end it. Throws 403 `role_not_allowed`, 409 `contents_off`. */
function checkLogDays({ state: { member } }: Context, { contents }: Services, days = 0): void {
  if (days === 0) return;
  if (member && member.role !== 'owner') throw roleNotAllowed(member.role, ['owner']);
  if (!contents.isOn)
    throw conflict(
      'contents_off',
      'This installation keeps no contents of calls: its operator has not set CONTENTS_KEY.',
    );
}

/** The workspace of a new key: the caller's, or its test workspace. */
async function workspaceOf(ctx: Context, { db }: Services, mode: 'live' | 'test' | undefined): Promise<string> {
  const { workspaceId, isTest } = ctx.state.key;
  if (mode === 'test') return openTestWorkspace(db.everywhere, workspaceId);
  if (mode === undefined || !isTest) return workspaceId;
  const msg = 'In test mode only test keys are made.';
  throw validationErrorAt(['body', 'mode'], msg);
}

async function read({ db }: Services, ctx: Context, id: string) {
  const { keyId, workspaceId } = ctx.state.key;
  await db.ledger.posted();
  return present((await readKeyUsage(db.read(workspaceId), id))!, keyId);
}

function present(key: NonNullable<Awaited<ReturnType<typeof readKeyUsage>>>, callingKeyId: string) {
  const remainingNanos = limitRemainingNanosOf(key);
  return {
    ...presentKey(key, callingKeyId),
    spend_limit_remaining: remainingNanos === null ? null : usdOf(remainingNanos),
    allowed_ips: key.allowedIps,
    created_by: key.createdBy,
    origin: key.origin,
    owner_user_id: key.ownerUserId,
    previous_expires_at: key.previousExpiresAt?.toISOString() ?? null,
  } satisfies z.infer<typeof ManagedKey>;
}

function checkScopes(scopes: readonly string[], grantable: ReadonlySet<string>): void {
  const refused = scopes.find((scope) => !grantable.has(scope));
  if (refused !== undefined)
    throw scopeNotGrantable(
      refused,
      KEY_SCOPES.filter((scope) => grantable.has(scope)),
    );
}

type SentLimits = Omit<z.output<typeof KeyChangeBody>, 'name' | 'scopes' | 'project_id'>;

/** The sent limits in their stored form. Throws 422 for an invalid address. */
async function limitsOf(sent: SentLimits): Promise<KeyChange> {
  const { spend_limit: usd, expires_at: expiresAt, allowed_ips: ips } = sent;
  const kept: KeyChange = {
    spendLimitNanos: typeof usd === 'number' ? nanosOfUsd(usd) : usd,
    spendLimitPeriod: sent.spend_limit_period,
    rpmLimit: sent.rpm_limit,
    concurrencyLimit: sent.concurrency_limit,
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
    allowedIps: ips && (await Promise.all(ips.map(rangeOf))),
    allowedAgents: sent.allowed_agents,
    logDays: sent.log_days,
    noRetention: sent.no_retention,
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

async function rangeOf(text: string, index: number): Promise<string> {
  const range = await canonicalRange(text);
  if (range !== undefined) return range;
  const msg = 'Send an address or a range, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48.';
  throw validationErrorAt(['body', 'allowed_ips', String(index)], msg);
}

const keyNotFound = (id: string) => notFound(`No key with the id '${id}'.`, 'key_not_found');

function refusalOf(refusal: KeyRefusal, id: string, project = '') {
  switch (refusal) {
    case 'not_found':
      return keyNotFound(id);
    case 'revoked':
      return conflict('key_revoked', 'This key was revoked, for good. Make another one.');
    case 'not_grantable':
      return scopeNotGrantable();
    case 'period_without_limit':
      return validationErrorAt(['body', 'spend_limit_period'], 'A period needs a spend_limit.');
    case 'no_project':
      return projectNotFound(project, 'project_id');
    case 'project_archived':
      return conflict('project_archived', 'This project is archived: it takes no keys until it is restored.');
    case 'derived':
      return conflict(
        'key_derived',
        'Another key made this one: only its name can be changed. Change the other key, or revoke this one.',
      );
    default:
      return refusal satisfies never;
  }
}
