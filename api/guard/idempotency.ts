import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { claimKey, dropClaim, releaseClaim, renewClaim, storeAnswer } from '../../db/idempotency.ts';
import type { IdempotentUse, StoredAnswer } from '../../db/idempotency.ts';
import { newId } from '../../db/ids.ts';
import { idempotencyConflict, idempotencyInProgress, validationError } from '../errors/requestErrors.ts';
import type { Context, Guard } from '../context.ts';
import { asApiError, renderError } from './errors.ts';

const KEY = /^[\x20-\x7e]{8,255}$/;
const WAIT_MS = 2_000;
const POLL_MS = 100;
const RENEW_MS = 10_000;
// Refused before anything was done: the key may be used for the request as it should have been, and again when there is money for it, or
// when what stood in its way is gone. Stripe too keeps no answer of a request that was at odds with another.
const UNDONE = [400, 402, 409, 412, 422, 429];
const REPLAYED = { 'idempotent-replayed': 'true' };
const KEPT_HEADERS = ['content-type', 'location', 'retry-after', 'preference-applied', 'etag'];

/**
 * Lets a request with an `Idempotency-Key` be carried out once: a second one gets the first one's answer, byte for byte. Leaves in
 * `ctx.state.resourceId` the id for what the handler creates. Placed after what parses the input, which is what keys are compared by.
 * Throws 409 `idempotency_conflict` and `idempotency_in_progress`, and 422 for a key that is none.
 */
export function idempotent(db: Database, prefix: string): Guard {
  return (ctx, next) => runOnce(ctx, db, { prefix, request: ctx.state.input, work: next });
}

/** The same for a handler that parses by itself. `request` is what was asked, as JSON; `work` answers through the context. */
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
  // A stream's head leaves while it is carried out; any other answer is made now, for the first time.
  if (!claim.isFirst) ctx.set(REPLAYED);
  await carryOut(ctx, db, use, work);
  if (ctx.respond !== false) ctx.remove('idempotent-replayed');
  if (isKept(ctx)) return keep(ctx, db, use);
  return claim.isFirst && UNDONE.includes(ctx.status) ? dropClaim(db.pool, use) : releaseClaim(db.pool, use);
}

/**
 * The same for what is answered in another form. `work` makes what has the id it is given, or finds it made: the same key gets the same
 * id, and nothing else is kept.
 */
export async function makeOnce<T>(
  ctx: Context,
  db: Database,
  { prefix, request, key }: { prefix: string; request: unknown; key: unknown },
  work: (resourceId: string) => Promise<T>,
): Promise<T> {
  const use = useOf(ctx, request, key);
  const newResourceId = newId(prefix);
  if (use === undefined) return work(newResourceId);
  const claim = await claimOrWait(db, use, newResourceId);
  assert(claim.outcome === 'claimed', 'no answer is stored on this route');
  try {
    const made = await work(claim.resourceId);
    await releaseClaim(db.pool, use);
    return made;
  } catch (error) {
    const isUndone = claim.isFirst && UNDONE.includes(asApiError(error, ctx.state.requestId).status);
    await (isUndone ? dropClaim : releaseClaim)(db.pool, use);
    throw error;
  }
}

function useOf(
  ctx: Context,
  request: unknown,
  key: unknown = ctx.req.headers['idempotency-key'],
): IdempotentUse | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) throw malformedKey();
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(request ?? null))
    .digest();
  return { workspaceId: ctx.state.key.workspaceId, route: `${ctx.method} ${ctx.path}`, key, fingerprint };
}

const malformedKey = () =>
  validationError([
    {
      loc: ['header', 'idempotency-key'],
      msg: 'An idempotency key is 8 to 255 printable ASCII characters.',
      type: 'value_error',
    },
  ]);

async function claimOrWait(db: Database, use: IdempotentUse, newResourceId: string) {
  const deadlineMs = performance.now() + WAIT_MS;
  for (;;) {
    const claim = await claimKey(db.pool, use, newResourceId);
    if (claim.outcome === 'conflict') throw idempotencyConflict();
    if (claim.outcome !== 'running') return claim;
    if (performance.now() > deadlineMs) throw idempotencyInProgress();
    await sleep(POLL_MS);
  }
}

function replay(ctx: Context, { status, headers, body }: StoredAnswer): void {
  ctx.status = status;
  ctx.body = body;
  ctx.set({ ...headers, ...REPLAYED });
}

async function carryOut(ctx: Context, db: Database, use: IdempotentUse, work: () => Promise<void>): Promise<void> {
  const renewal = setInterval(() => void renewClaim(db.pool, use).catch(() => {}), RENEW_MS);
  try {
    await work();
  } catch (error) {
    renderError(ctx, asApiError(error, ctx.state.requestId));
    ctx.state.log.error = error;
  } finally {
    clearInterval(renewal);
  }
}

// A stream is not an answer that can be sent again: who comes back with its key is given the same run's stream. What the platform could not
// do, or not yet, is tried anew, as is what a key did not live to hear; a request that was found wrong, came at the wrong time, or was not paid for, was never carried out.
function isKept(ctx: Context): boolean {
  return ctx.respond !== false && ctx.status < 500 && ctx.status !== 401 && !UNDONE.includes(ctx.status);
}

async function keep(ctx: Context, db: Database, use: IdempotentUse): Promise<void> {
  const text = textOf(ctx.body);
  // Sent as it is kept.
  ctx.body = text;
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (ctx.res.hasHeader(name) ? [[name, String(ctx.res.getHeader(name))]] : [])),
  );
  await storeAnswer(db.pool, use, { status: ctx.status, headers, body: text });
}

const textOf = (body: unknown) =>
  body === null || body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
