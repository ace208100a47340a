import { setTimeout as sleep } from 'node:timers/promises';
import { isReadable, type KeptCall } from '../../db/answers/keptCall.ts';
import type { StoredPart } from '../../db/answers/readParts.ts';
import type { Context } from '../context.ts';
import { idempotencyConflict } from '../../base/errors/requestErrors.ts';
import { overloaded } from '../../base/errors/serviceErrors.ts';
import { keepAlive, writeTo } from '../http/sse.ts';
import type { Services } from '../services.ts';
import { endingOf, followAnswer, isNumbered } from './followAnswer.ts';
import { createEventNumbers } from './numberedEvents.ts';
import { isEventStream, splitHead, type KeptHead } from '../http/keptHead.ts';

// A call that has failed ends its claim a moment later; one whose answer is not kept may run for minutes.
const CLAIM_POLL_MS = 20;
const CLAIM_POLL_MS_MAX = 1_000;
const SILENT_POLL_MS = 1_000;

/** A request that may be one of several tries of the same call. */
export interface Try {
  fingerprint: string;
  bodyHash: string;
  /** How often its client has tried before. */
  retries: number;
  isRetry: boolean;
  /** Whether all of its tries claim it. A first try without an idempotency key does not: it waits for nothing. */
  isKeyed: boolean;
}

/**
 * Answers a retry with the answer of its first try, which ran before or still runs, here or in another process. False: there is none, or it
 * has failed, so the call runs again, claimed by this try. Throws 409 `idempotency_conflict` when an idempotency key was used for another
 * request.
 */
export async function answerAgain(ctx: Context, services: Services, tried: Try, own: KeptCall): Promise<boolean> {
  const failed = new Set<string>();
  for (;;) {
    const requestId = await own.ask(() => findFirst(ctx, services, { tried, own, failed }));
    if (requestId === undefined) return false;
    const sent = await sendAgain(ctx, services, requestId, tried);
    if (sent === 'whole') return true;
    refuseEnded(ctx, services);
    if (sent === 'failed') failed.add(requestId);
  }
}

function refuseEnded({ res, state }: Context, { shutdown }: Services): void {
  if (res.destroyed) {
    // No failure of ours, and no refused call.
    state.log.cancelled = true;
    throw new Error('the client of a retry disconnected');
  }
  if (shutdown.hasBegun()) throw overloaded(1_000, 'the process ends');
}

/** The request that has run the call or runs it; undefined: this try does. */
async function findFirst(
  ctx: Context,
  services: Services,
  { tried, own, failed }: { tried: Try; own: KeptCall; failed: Set<string> },
): Promise<string | undefined> {
  const { answers } = services.db;
  const { workspaceId } = own.order;
  const { fingerprint, bodyHash, retries, isKeyed } = tried;
  const find = () => answers.findKept(workspaceId, fingerprint, retries - 1, failed);
  const findUnclaimed = async () => {
    for (;;) {
      const [kept, asked] = await Promise.all([find(), answers.ask({ workspaceId, fingerprint })]);
      const { requestId, others, isSure } = asked;
      if (kept !== undefined || others === 0) return kept;
      if (requestId !== undefined && !failed.has(requestId)) return requestId;
      // Once more after the question: a call that ended in between is in no process any more.
      const late = await find();
      // A paused process may run it: until that one answers or is dead, another run could be a second bill.
      if (late !== undefined || isSure) return late;
      // All callers of a process that was killed wait here: a question is much dearer than a look.
      do {
        await sleep(SILENT_POLL_MS);
        refuseEnded(ctx, services);
        const stored = await find();
        if (stored !== undefined) return stored;
      } while (await answers.hasSilent());
    }
  };
  for (let pauseMs = CLAIM_POLL_MS; ; pauseMs = Math.min(2 * pauseMs, CLAIM_POLL_MS_MAX)) {
    const here = await runningHere(answers.withFingerprint(workspaceId, fingerprint), own, failed);
    if (here?.follows) return here.follows;
    if (here && here.order.bodyHash !== bodyHash) throw idempotencyConflict();
    if (here) return here.order.requestId;
    const holder = await answers.claim(own);
    // After the claim: a call that has ended since then has stored its answer before it ended its own.
    // A first try that claims nothing is known to its own process alone.
    const found = await (holder || isKeyed ? find() : findUnclaimed());
    if (found !== undefined) {
      await answers.unclaim(own);
      return found;
    }
    if (!holder) return undefined;
    if (holder.bodyHash !== bodyHash) throw idempotencyConflict();
    if (!failed.has(holder.requestId)) return holder.requestId;
    await sleep(pauseMs);
    refuseEnded(ctx, services);
  }
}

/** An earlier try here that runs, or has found what it follows: one whose client has left, if there is one. */
async function runningHere(calls: KeptCall[], own: KeptCall, failed: Set<string>): Promise<KeptCall | undefined> {
  const before = calls.slice(0, calls.indexOf(own));
  for (const call of before) await call.asked();
  const isFirst = (call: KeptCall) => call.canBeRead && !failed.has(call.follows ?? call.order.requestId);
  const running = before.filter(isFirst);
  return running.find(({ isLeft }) => isLeft) ?? running[0];
}

/** `none`: nothing of it is stored, and it runs no more. */
async function sendAgain(
  ctx: Context,
  services: Services,
  requestId: string,
  { bodyHash, retries }: Try,
): Promise<'whole' | 'failed' | 'none'> {
  const { res, state } = ctx;
  const { workspaceId } = state.key;
  const isOver = () => res.destroyed || services.shutdown.hasBegun();
  let stop: (() => void) | undefined;
  let ended: StoredPart['state'] = 'open';
  let kept: KeptHead | undefined;
  const numbers = createEventNumbers();
  try {
    for await (const parts of followAnswer(services, { workspaceId, requestId, from: 0, retries, isOver })) {
      if (!stop) {
        if (!isReadable(await endOf(services, { workspaceId, requestId, parts }))) return 'failed';
        const { head, rest } = splitHead(parts[0]!.bytes);
        if (head.bodyHash !== bodyHash) throw idempotencyConflict();
        if (!(await services.db.answers.noteReplay(workspaceId, requestId))) return 'failed';
        setHead(ctx, head, requestId);
        kept = head;
        if (parts[0]!.state === 'whole') {
          ctx.body = Buffer.from(rest);
          return 'whole';
        }
        parts[0] = { ...parts[0]!, bytes: rest };
        stop = begin(ctx, head);
      }
      for (const { bytes } of parts) {
        if (isEventStream(kept!) && isNumbered(kept)) numbers.push(Buffer.from(bytes).toString());
        await writeTo(res, bytes);
      }
      ended = parts.at(-1)!.state;
    }
  } finally {
    stop?.();
  }
  if (stop && ended === 'open' && isOver()) res.destroy();
  else if (stop) end(res, { ended, kept: kept!, events: numbers.last() });
  return stop ? 'whole' : 'none';
}

/** How an answer of which these parts are read ends; `open`: it goes on. */
async function endOf(
  { db: { answers } }: Services,
  { workspaceId, requestId, parts }: { workspaceId: string; requestId: string; parts: StoredPart[] },
): Promise<StoredPart['state']> {
  const { state } = parts.at(-1)!;
  return state === 'open' ? ((await answers.endOf(workspaceId, requestId)) ?? 'open') : state;
}

function end(
  res: Context['res'],
  { ended, kept, events }: { ended: StoredPart['state']; kept: KeptHead; events: number },
): void {
  if (isEventStream(kept)) res.end(endingOf(ended, kept, events));
  else if (ended === 'whole') res.end();
  // Sound that ends early looks whole unless its connection breaks.
  else res.destroy();
}

function setHead(ctx: Context, { status, headers }: KeptHead, requestId: string): void {
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value);
  ctx.res.setHeader('idempotent-replayed', 'true');
  ctx.res.setHeader('x-request-id', requestId);
}

function begin(ctx: Context, head: KeptHead): () => void {
  const { res } = ctx;
  ctx.respond = false;
  res.writeHead(head.status);
  if (!isEventStream(head)) return () => undefined;
  return keepAlive(res, () => ({ write: (text) => writeTo(res, text) }));
}
