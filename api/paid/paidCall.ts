import type { Model } from '../../db/catalog.ts';
import type { Bill, Hold } from '../../db/ledger.ts';
import { waitAtMost } from '../../base/waiting.ts';
import { costNanosOf, usdTextOf, type Quantities } from '../../db/money.ts';
import { CallAbort } from '../../providers/callAbort.ts';
import type { Context } from '../context.ts';
import type { ErrorBody } from '../errors/apiError.ts';
import { asApiError } from '../guard/errors.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from '../http/answer.ts';
import type { Services } from '../services.ts';
import { shownError, watchCaller } from './watchCaller.ts';
import { reserve, type Price, type Reserved } from './reserve.ts';

// An answer whose bill is not on disk by then ends with an error, and is not billed.
const SETTLE_WAIT_MS = 10_000;

/**
 * One kind of paid call: what it reserves, how it produces and counts, how it presents. An object lives for one request and keeps its
 * state; `runPaidCall` decides which method is called when. The head of an answer has left, or is about to, from the moment the call
 * sets `ctx.respond` to false.
 */
export interface PaidCall {
  readonly model: Model;
  readonly price: Price;
  /** How long the whole answer waits for its bill, where that is not 10 s. */
  readonly settleWaitMs?: number;

  /** Produces the answer and sends what can be sent before its end. Throws what ended it early; `abort` with the reason `cut` is a whole end. */
  produce(reserved: Reserved, abort: CallAbort): Promise<void>;

  /** What has left of an answer that is sent while it is produced, and when its first part did. */
  readonly sent?: { readonly firstByteMs: number | null; readonly bytes: number } | undefined;
  /** Units of the whole answer, once it is produced. */
  whole(): Quantities;
  /** Units recorded where nothing is billed. */
  unbilled(): Quantities;
  /** Units to bill if this process dies now. Absent: nothing is. */
  certain?(): Quantities;
  /** Resolves when `certain` has counted what it needs to. */
  countCertain?(): Promise<void>;
  /** Units produced for a caller who disconnected, or whose key or hold ended. */
  consumed(): Quantities | Promise<Quantities>;
  /** Units that a client can use of an answer that this process must end. Absent or undefined: none, and nothing is billed. */
  delivered?(): Quantities | undefined | Promise<Quantities | undefined>;
  /** Such a part ends properly, only shorter. Else its client sees an error. */
  readonly isCompleteInPart?: boolean;

  /** Sends the end of the answer, once its bill is on disk. */
  present(): void | Promise<void>;
  /** Ends an answer whose head has left with an error. */
  fail?(error: ErrorBody): void | Promise<void>;
}

interface Running {
  ctx: Context;
  services: Services;
  call: PaidCall;
  held: Hold;
}

/**
 * Runs one paid call: reserved -> producing -> whole | part | failed, or reserved -> abandoned. Each hold is settled or failed exactly once.
 *
 * - whole: billed; the bill is on disk before the answer's last byte, or the call fails.
 * - part: the client disconnected, its key or its hold ended, or this process ends in mid-answer: billed for the part.
 * - failed: bills nothing. The error is thrown while nothing has left, and presented after.
 * - abandoned: the client disconnected while the call waited for its hold: nothing ran.
 */
export async function runPaidCall(ctx: Context, services: Services, call: PaidCall): Promise<void> {
  const reserved = await reserve(ctx, services, call.price);
  const { held } = reserved;
  if (ctx.res.destroyed) return abandon({ ctx, services, call, held });
  const abort = new CallAbort();
  const stopWatching = watchCaller(ctx, services, abort, held);
  if (call.certain) follow({ ctx, services, call, held });
  try {
    if (abort.aborted) throw abort.reason;
    await call.produce(reserved, abort);
  } catch (error) {
    stopWatching();
    return endEarly({ ctx, services, call, held }, abort, error);
  }
  stopWatching();
  // Made only now: an object that lives as long as its upstream takes may be kept with the whole request until a large garbage collection.
  return endWhole({ ctx, services, call, held }, call.whole());
}

function follow({ ctx, services, call, held }: Running): void {
  const billSoFar = () => billOf({ ctx, call }, call.certain!(), 200);
  services.db.ledger.follow(held, ctx.state.requestId, billSoFar, call.countCertain && (() => call.countCertain!()));
}

function abandon({ ctx, services, call, held }: Running): never {
  ctx.state.log.cancelled = true;
  const bill = billOf({ ctx, call }, call.unbilled(), CLIENT_CLOSED_STATUS);
  void services.db.ledger.fail(held, { ...bill, cancelled: true });
  throw new Error('the client disconnected before its call began');
}

async function endWhole(running: Running, quantities: Quantities): Promise<void> {
  const { ctx, services, call, held } = running;
  const isUnsent = !hasBegun(ctx);
  const waitMs = call.settleWaitMs ?? SETTLE_WAIT_MS;
  try {
    const chargedNanos = await services.db.ledger.settleWithin(waitMs, held, billOf(running, quantities, 200), {
      isUnsent,
    });
    ctx.state.log.costNanos = chargedNanos;
    if (isUnsent) ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
  } catch (error) {
    return showFailure(running, error);
  }
  await call.present();
}

async function endEarly(running: Running, abort: CallAbort, error: unknown): Promise<void> {
  const { ctx, services, call, held } = running;
  if (abort.reason === 'left') return endLeft(running);
  const part = hasSent(call) ? await partOf(call, abort) : undefined;
  if (part && abort.reason === 'shutdown' && call.isCompleteInPart) return endWhole(running, part);
  const shown = shownError(abort, error);
  const { status } = asApiError(shown, ctx.state.requestId);
  if (part) await billPart(running, part, status);
  else await services.db.ledger.fail(held, billOf(running, call.unbilled(), status));
  return showFailure(running, shown);
}

/** What is billed of an answer that was cut; undefined for one that failed. A part is paid for: else revoking a key would make it free. */
function partOf(call: PaidCall, { reason }: CallAbort): Quantities | undefined | Promise<Quantities | undefined> {
  if (reason === 'revoked' || reason === 'unheld') return call.consumed();
  return reason === 'shutdown' ? call.delivered?.() : undefined;
}

async function endLeft(running: Running): Promise<void> {
  const { ctx, services, call, held } = running;
  ctx.state.log.cancelled = true;
  const bill = { ...billOf(running, await call.consumed(), CLIENT_CLOSED_STATUS), cancelled: true };
  const settled = services.db.ledger.settle(held, bill).then((nanos) => (ctx.state.log.costNanos = nanos));
  // It is written as soon as the database can; the handler of a client that is gone need not wait for that.
  await waitAtMost(SETTLE_WAIT_MS, settled);
  if (!hasBegun(ctx)) throw new Error('the client disconnected');
}

async function billPart(running: Running, quantities: Quantities, status: number): Promise<void> {
  const { ctx, services, held } = running;
  const bill = { ...billOf(running, quantities, status), cancelled: true };
  // What is not on disk in time is taken back; the client sees the error in any case.
  const charged = services.db.ledger.settleWithin(SETTLE_WAIT_MS, held, bill);
  ctx.state.log.costNanos = await charged.catch(() => undefined);
}

async function showFailure({ ctx, call }: Running, error: unknown): Promise<void> {
  if (!hasBegun(ctx) || !call.fail) throw error;
  ctx.state.log.error = error;
  await call.fail(asApiError(error, ctx.state.requestId).body);
}

const hasBegun = (ctx: Context): boolean => ctx.respond === false;

const hasSent = ({ sent }: PaidCall): boolean => (sent?.firstByteMs ?? null) !== null;

/** The bill of a call that ends now, priced at its model's rates. */
function billOf({ ctx, call }: Pick<Running, 'ctx' | 'call'>, quantities: Quantities, status: number): Bill {
  const { model, sent } = call;
  const { requestId, key, route, startedAtMs } = ctx.state;
  return {
    requestId,
    spender: key,
    costNanos: costNanosOf(quantities, model.rates),
    route,
    model: model.id,
    status,
    cancelled: false,
    usage: quantities,
    startedAtMs,
    firstByteMs: sent?.firstByteMs ?? null,
    durationMs: elapsedMs(ctx),
    streamBytes: sent?.bytes ?? 0,
  };
}
