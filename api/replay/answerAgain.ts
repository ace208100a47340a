import type { KeptCall } from '../../db/answers/keptCall.ts';
import type { StoredPart } from '../../db/answers/readParts.ts';
import type { Context } from '../context.ts';
import { idempotencyConflict } from '../errors/requestErrors.ts';
import { keepAlive, writeTo } from '../http/sse.ts';
import type { Services } from '../services.ts';
import { followAnswer } from './followAnswer.ts';
import { isEventStream, splitHead, type KeptHead } from './keptHead.ts';

/** A request that may be one of several tries of the same call. */
export interface Try {
  fingerprint: string;
  bodyHash: string;
  /** How often its client has tried before. */
  retries: number;
  isRetry: boolean;
}

/**
 * Answers a retry with the answer of its first try, which ran before or still runs, here or in another process. False: there is none, or it
 * has failed, so the call runs again. Throws 409 `idempotency_conflict` when an idempotency key was used for another request.
 */
export async function answerAgain(ctx: Context, services: Services, tried: Try, own: KeptCall): Promise<boolean> {
  const failed = new Set<string>();
  for (;;) {
    const requestId = await findFirst(services, tried, own, failed);
    if (requestId === undefined) return false;
    if (await sendAgain(ctx, services, requestId, tried)) return true;
    if (ctx.res.destroyed) throw new Error('the client of a retry disconnected');
    failed.add(requestId);
  }
}

async function findFirst(
  { db: { answers } }: Services,
  { fingerprint, bodyHash, retries }: Try,
  own: KeptCall,
  failed: Set<string>,
): Promise<string | undefined> {
  const { workspaceId, requestId: asker } = own.order;
  const running = runningBefore(answers.withFingerprint(fingerprint), own).filter(
    ({ order }) => !failed.has(order.requestId),
  );
  const here = running.find(({ isLeft }) => isLeft) ?? running[0];
  if (here) {
    if (here.order.bodyHash !== bodyHash) throw idempotencyConflict();
    return here.order.requestId;
  }
  const isNew = (found: string | undefined) => (found !== undefined && !failed.has(found) ? found : undefined);
  const find = async () => isNew(await answers.findKept(workspaceId, fingerprint, retries - 1));
  // Once more after the question: a call that ended in between is in no process any more.
  return (await find()) ?? isNew(await answers.ask({ workspaceId, fingerprint, asker })) ?? (await find());
}

function runningBefore(calls: Iterable<KeptCall>, own: KeptCall): KeptCall[] {
  const before: KeptCall[] = [];
  for (const call of calls) {
    if (call === own) break;
    if (!call.isGone) before.push(call);
  }
  return before;
}

async function sendAgain(ctx: Context, services: Services, requestId: string, { bodyHash }: Try): Promise<boolean> {
  const { res, state } = ctx;
  const { workspaceId } = state.key;
  const isOver = () => res.destroyed || services.shutdown.hasBegun();
  const order = { workspaceId, requestId, from: 0, asker: state.requestId, isOver };
  let stop: (() => void) | undefined;
  try {
    for await (const parts of followAnswer(services, order)) {
      if (!stop) {
        if (isLost(parts.at(-1)!)) return false;
        const { head, rest } = splitHead(parts[0]!.bytes);
        if (head.bodyHash !== bodyHash) throw idempotencyConflict();
        setHead(ctx, head, requestId);
        await services.db.answers.noteReplay(workspaceId, requestId);
        if (parts[0]!.state === 'whole') {
          ctx.body = Buffer.from(rest);
          return true;
        }
        parts[0] = { ...parts[0]!, bytes: rest };
        stop = begin(ctx, head);
      }
      for (const { bytes } of parts) await writeTo(res, bytes);
    }
  } finally {
    stop?.();
  }
  if (stop) res.end();
  return stop !== undefined;
}

const isLost = ({ state }: StoredPart): boolean => state === 'failed' || state === 'left';

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
