import { createHash, hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { KeptCall } from '../../db/answers/keptCall.ts';
import { mayBeTriedAgain } from '../body/body.ts';
import type { Context, Handler } from '../context.ts';
import { checkedKey } from '../guard/idempotency.ts';
import type { Services } from '../services.ts';
import type { SoundForm } from '../sound/soundForm.ts';
import { answerAgain, type Try } from './answerAgain.ts';
import { headLineOf } from '../http/keptHead.ts';
import { onClose } from '../http/onClose.ts';

// A retry comes within some seconds. A whole answer is produced for that long although its client has disconnected.
const WHOLE_GRACE_MS = 10_000;
// Both OpenAI clients wait half a second, then twice as long each time: two retries in a row may be lost on their way.
const RETRY_GRACE_FACTOR = 4;
const FINGERPRINT_LENGTH_MAX = 1_000;

/** How an answer is produced: at once, as a stream of events, or as bytes while they are produced. */
export type AnswerForm = 'text' | 'bytes';

/**
 * Keeps the answers of a route for ten minutes. A retry gets the answer of its first try again and pays nothing: the same key and body with
 * `x-stainless-retry-count` above 0, which both OpenAI clients send, or with the same `Idempotency-Key`. A stream of text is kept in any
 * case, so that it can be resumed.
 */
export function retryable<Input extends object>(
  services: Services,
  handler: Handler<Input>,
  form: AnswerForm = 'text',
): Handler<Input> {
  return (ctx) => {
    const { input } = ctx.state;
    const isStream = form === 'text' && 'stream' in input && input.stream === true;
    const tried = tryOf(ctx, ctx.state.bodyHash);
    if (!tried && !isStream) return handler(ctx);
    const graceMs = form === 'text' ? graceMsOf(services, { isStream, tried }) : 0;
    return runKept(ctx, services, { tried, graceMs, isBytes: form === 'bytes' }, () => handler(ctx));
  };
}

/** The same for a request that a run of an agent answers, of which `work` writes the answer to `ctx.state.kept`. */
export async function retryableRun(
  ctx: Context,
  services: Services,
  { isStream }: { isStream: boolean },
  work: () => Promise<void>,
): Promise<void> {
  const tried = tryOf(ctx, ctx.state.bodyHash);
  if (!tried) return work();
  const graceMs = graceMsOf(services, { isStream, tried });
  return runKept(ctx, services, { tried, graceMs, isBytes: false }, work);
}

/** How long a text is produced after its client has disconnected. */
function graceMsOf({ config }: Services, { isStream, tried }: { isStream: boolean; tried: Try | undefined }): number {
  return isStream ? config.resumeGraceMs * (tried ? RETRY_GRACE_FACTOR : 1) : WHOLE_GRACE_MS;
}

/** The same for a form with a file, whose parts are compared: a retry separates them in another way. */
export async function retryableForm(
  ctx: Context,
  services: Services,
  sent: SoundForm,
  work: () => Promise<void>,
  form: AnswerForm = 'text',
): Promise<void> {
  if (!mayBeTriedAgain(ctx.req)) return work();
  ctx.state.bodyHash = await hashOfForm(sent);
  const tried = tryOf(ctx, ctx.state.bodyHash);
  const isBytes = form === 'bytes';
  const order = { tried, graceMs: isBytes || sent.fields.stream === 'true' ? 0 : WHOLE_GRACE_MS, isBytes };
  return runKept(ctx, services, order, async () => work());
}

function tryOf(ctx: Context, bodyHash: string | undefined): Try | undefined {
  if (bodyHash === undefined) return undefined;
  const { 'idempotency-key': key, 'x-stainless-retry-count': count } = ctx.req.headers;
  const retries = Number(count ?? 0);
  const place = `${ctx.state.key.keyId} ${ctx.method} ${ctx.path}`;
  if (key === undefined) {
    const fingerprint = short(`${place} ${ctx.search} ${bodyHash}`);
    return { fingerprint, bodyHash, retries, isRetry: retries > 0, isKeyed: false };
  }
  return {
    fingerprint: short(`${place} key ${checkedKey(key)}`),
    bodyHash: `${ctx.search} ${bodyHash}`,
    retries: 1,
    isRetry: true,
    isKeyed: true,
  };
}

// A query may be longer than an entry of an index can be: the statement that stores the answer would fail, with the bills beside it.
const short = (fingerprint: string): string =>
  fingerprint.length <= FINGERPRINT_LENGTH_MAX ? fingerprint : hash('sha256', fingerprint, 'base64url');

async function runKept(
  ctx: Context,
  services: Services,
  { tried, graceMs, isBytes }: { tried: Try | undefined; graceMs: number; isBytes: boolean },
  work: () => Promise<void> | void,
): Promise<void> {
  const { answers } = services.db;
  const { requestId, key } = ctx.state;
  const { fingerprint = null, bodyHash = null } = tried ?? {};
  const retries = tried?.retries ?? 0;
  const call = answers.begin({ requestId, workspaceId: key.workspaceId, fingerprint, bodyHash, graceMs, retries });
  onClose(ctx.res, () => call.leave());
  try {
    if (tried?.isRetry) {
      if (await answerAgain(ctx, services, tried, call)) return;
    }
    if (tried) ctx.state.bodyHash = tried.bodyHash;
    ctx.state.kept = call;
    if (isBytes) keepWrites(ctx, call);
    await work();
  } finally {
    answers.end(call, ctx.state.log.cancelled === true);
  }
}

/** Keeps what is written to the answer. */
function keepWrites(ctx: Context, call: KeptCall): void {
  const { res } = ctx;
  const [write, end] = [res.write.bind(res), res.end.bind(res)] as ((...args: unknown[]) => unknown)[];
  const keep = (data: unknown) => {
    if (typeof data !== 'string' && !(data instanceof Uint8Array)) return;
    if (!res.headersSent) call.begin(headLineOf(ctx));
    call.add(data);
  };
  const both = {
    write: (data: unknown, ...more: unknown[]) => {
      keep(data);
      return write!(data, ...more);
    },
    end: (data: unknown, ...more: unknown[]) => {
      keep(data);
      return end!(data, ...more);
    },
  };
  Object.assign(res, both);
}

async function hashOfForm({ fields, lists, files }: SoundForm): Promise<string> {
  const hash = createHash('sha256');
  const sorted = (record: object) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  hash.update(JSON.stringify([sorted(fields), sorted(lists), files.map(({ field }) => field)]));
  for (const { content } of files) await pipeline(content.read(), hash, { end: false });
  return hash.digest('base64url');
}
