import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { claimKey, dropClaim, releaseClaim, renewClaim, storeAnswer } from '../../db/answers/idempotency.ts';
import type { ClaimedUse, IdempotentUse, StoredAnswer } from '../../db/answers/idempotency.ts';
import { newId } from '../../db/ids.ts';
import { IDEMPOTENCY_KEY_CHARACTERS } from '../../base/limits.ts';
import { idempotencyConflict, idempotencyInProgress, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { guard, type Context, type Guard } from '../context.ts';
import { renderError } from './errors.ts';
import { asApiError } from '../../calls/errors/asApiError.ts';

const { min, max } = IDEMPOTENCY_KEY_CHARACTERS;
const KEY = new RegExp(`^[\\x20-\\x7e]{${min},${max}}$`);
const WAIT_MS = 2_000;
// The claim of a process that was killed ends within some 5 seconds.
const SILENT_WAIT_MS = 10_000;
const POLL_MS = 100;
const RENEW_MS = 10_000;
// Refused before any work, so the key stays usable: for the corrected request, after a top-up, or once there is room or no conflict. Stripe
// also stores no answer of a conflicting request.
const UNDONE = [400, 402, 409, 412, 413, 422, 429];
const REPLAYED = { 'idempotent-replayed': 'true' };
const KEPT_HEADERS = ['content-type', 'location', 'retry-after', 'preference-applied', 'etag'];

/**
 * Runs a request with an `Idempotency-Key` once: a retry gets the first answer, byte for byte. Sets `ctx.state.resourceId`, the id for the
 * resource that the handler creates. Must follow the guard that parses the input, because keys are compared by parsed input. Throws 409
 * `idempotency_conflict` and `idempotency_in_progress`, and 422 for an invalid key.
 */
export function idempotent(db: Database, prefix: string): Guard {
  return guard([409, 422], (ctx, next) => runOnce(ctx, db, { prefix, request: ctx.state.input, work: next }));
}

/** Like `idempotent`, for a handler that parses its own input. `request` is the request as JSON; `work` answers through the context. */
export async function runOnce(
  ctx: Context,
  db: Database,
  { prefix, request, work }: { prefix: string; request: unknown; work: () => Promise<void> },
): Promise<void> {
  const use = useOf(ctx, request);
  const newResourceId = newId(prefix);
  if (use === undefined) {
    ctx.state.resourceId = newResourceId;
    return work();
  }
  const claim = await claimOrWait(db, use, newResourceId);
  if (claim.outcome === 'answered') return replay(ctx, claim.answer);
  ctx.state.resourceId = claim.resourceId;
  // A stream has already sent its head; other answers are sent here.
  if (!claim.isFirst) ctx.set(REPLAYED);
  await carryOut(ctx, db, claim.use, work);
  if (ctx.respond !== false) ctx.remove('idempotent-replayed');
  if (isKept(ctx)) return keep(ctx, db, claim.use);
  return claim.isFirst && UNDONE.includes(ctx.status)
    ? dropClaim(db.pool, claim.use)
    : releaseClaim(db.pool, claim.use);
}

/**
 * Like `idempotent`, for a caller that renders its own answer. `work` creates or finds the resource with the given id: the same key always
 * gets the same id. No answer is stored. `route` is the scope of keys within the project, instead of method and path.
 */
export async function makeOnce<T>(
  ctx: Context,
  db: Database,
  { prefix, request, key, route }: { prefix: string; request: unknown; key: unknown; route?: string },
  work: (resourceId: string, isFirst: boolean) => Promise<T>,
): Promise<T> {
  const use = useOf(ctx, request, { key, route });
  const newResourceId = newId(prefix);
  if (use === undefined) return work(newResourceId, true);
  const claim = await claimOrWait(db, use, newResourceId);
  assert(claim.outcome === 'claimed', 'no answer is stored on this route');
  try {
    const made = await whileRenewed(db, claim.use, () => work(claim.resourceId, claim.isFirst));
    await releaseClaim(db.pool, claim.use);
    return made;
  } catch (error) {
    const isUndone = claim.isFirst && UNDONE.includes(asApiError(error, ctx.state.requestId).status);
    await (isUndone ? dropClaim : releaseClaim)(db.pool, claim.use);
    throw error;
  }
}

function useOf(
  ctx: Context,
  request: unknown,
  {
    key = ctx.req.headers['idempotency-key'],
    route = `${ctx.method} ${ctx.path}`,
  }: { key?: unknown; route?: string | undefined } = {},
): IdempotentUse | undefined {
  if (key === undefined) return undefined;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(request ?? null))
    .digest();
  const { workspaceId, projectId } = ctx.state.key;
  // What a caller of a project makes is that project's: a key of another one must neither receive nor hide it.
  return {
    workspaceId,
    route: projectId === null ? route : `${projectId} ${route}`,
    key: checkedKey(key),
    fingerprint,
  };
}

/** The key as it was sent. Throws 422 for an invalid one. */
export function checkedKey(key: unknown): string {
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw validationErrorAt(
    ['header', 'idempotency-key'],
    `An idempotency key is ${min} to ${max} printable ASCII characters.`,
  );
}

async function claimOrWait(db: Database, use: IdempotentUse, newResourceId: string) {
  const startedAtMs = performance.now();
  for (;;) {
    const claim = await claimKey(db.pool, use, { newResourceId, processId: db.ledger.processId() });
    if (claim.outcome === 'conflict') throw idempotencyConflict();
    if (claim.outcome !== 'running') return claim;
    if (performance.now() > startedAtMs + (claim.isSilent ? SILENT_WAIT_MS : WAIT_MS)) throw idempotencyInProgress();
    await sleep(POLL_MS);
  }
}

function replay(ctx: Context, { status, headers, body }: StoredAnswer): void {
  ctx.status = status;
  ctx.body = body;
  ctx.set({ ...headers, ...REPLAYED });
}

async function carryOut(ctx: Context, db: Database, use: ClaimedUse, work: () => Promise<void>): Promise<void> {
  try {
    await whileRenewed(db, use, work);
  } catch (error) {
    renderError(ctx, asApiError(error, ctx.state.requestId));
    ctx.state.log.error = error;
  }
}

/** Renews the claim while `work` runs. Afterwards no renewal is under way, which could undo the claim's end. */
async function whileRenewed<T>(db: Database, use: ClaimedUse, work: () => Promise<T>): Promise<T> {
  let renewing: Promise<void> | undefined;
  const renew = () => {
    renewing ??= renewClaim(db.pool, use, db.ledger.processId())
      .catch(() => {})
      .finally(() => (renewing = undefined));
  };
  const renewal = setInterval(renew, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await renewing;
  }
}

// A stream cannot be sent twice: a retry gets the stream of the same run. Failures of the platform and of ended keys run again. Invalid,
// conflicting and unpaid requests did no work, so their key stays usable.
function isKept(ctx: Context): boolean {
  return ctx.respond !== false && ctx.status < 500 && ctx.status !== 401 && !UNDONE.includes(ctx.status);
}

async function keep(ctx: Context, db: Database, use: ClaimedUse): Promise<void> {
  const text = textOf(ctx.body);
  // Sent exactly as it is stored.
  ctx.body = text;
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (ctx.res.hasHeader(name) ? [[name, String(ctx.res.getHeader(name))]] : [])),
  );
  await storeAnswer(db.pool, use, { status: ctx.status, headers, body: text });
}

const textOf = (body: unknown) =>
  body === null || body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
