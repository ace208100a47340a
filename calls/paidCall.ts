import type { Model } from '../db/catalog/catalog.ts';
import { PRODUCT_OF_KIND } from '../db/catalog/products.ts';
import { newId } from '../db/ids.ts';
import type { Bill, Hold } from '../db/ledger/ledger.ts';
import { tracing, type Tracing } from '../base/tracing.ts';
import { waitAtMost } from '../base/waiting.ts';
import { costNanosOf, usdTextOf, type Quantities } from '../db/money.ts';
import { CallAbort } from '../providers/callAbort.ts';
import { traceModel } from '../providers/tracedModel.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import type { KeptWith } from '../db/ledger/batchWriter.ts';
import { chargeNanosOf } from '../db/ledger/settlement.ts';
import type { Context } from '../api/context.ts';
import { headLineOf } from '../api/http/keptHead.ts';
import type { ErrorBody } from '../base/errors/apiError.ts';
import { asApiError } from '../api/guard/errors.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from '../api/http/answer.ts';
import type { CallServices } from '../api/services.ts';
import { hasLeft, shownError, watchCaller } from './watchCaller.ts';
import { reserve, type Price, type Reserved } from './reserve.ts';

// An answer whose bill is not on disk by then ends with an error, and is not billed.
const SETTLE_WAIT_MS = 10_000;
// In the record of a call whose answer was not stored.
const NOT_KEPT_STATUS = 409;
// In the record of a stream whose process died before it had produced anything.
const LOST_STATUS = 503;

/**
 * One kind of paid call: what it reserves, how it produces and counts, how it presents. An object belongs to one request and keeps its
 * state; `runPaidCall` decides when each method is called. Setting `ctx.respond` to false means that the head of the answer was sent or is
 * about to be.
 */
export interface PaidCall {
  readonly model: Model;
  readonly price: Price;
  /** The least amount by a count, where that of `price` is a high estimate and more than there is. */
  countLeastNanos?(): Promise<bigint>;
  /** How long the whole answer waits for its bill; 10 s by default. */
  readonly settleWaitMs?: number;

  /** Produces the answer and sends what can be sent before its end. Throws what ended it early; an `abort` with the reason `cut` is a normal end. */
  produce(reserved: Reserved, abort: CallAbort): Promise<void>;

  /** How a text answer ended, if known. Absent for other kinds of calls. */
  readonly details?: Pick<Bill, 'finishReason' | 'cachedTokens' | 'reasoningTokens'> | undefined;
  /** Bytes already sent of an answer, and the time of its first byte. */
  readonly sent?: { readonly firstByteMs: number | null; readonly bytes: number } | undefined;
  /** Units of the whole answer, once it is produced. */
  whole(): Quantities;
  /** Units recorded when nothing is billed. */
  unbilled(): Quantities;
  /** Units to bill if this process dies now. Absent: none. */
  certain?(): Quantities;
  /** Resolves when everything that `certain` needs is counted. */
  countCertain?(): Promise<void>;
  /** Units produced for a caller who disconnected, or whose key or hold ended. */
  consumed(): Quantities | Promise<Quantities>;
  /** Units that a client can use of an answer that this process has to end. Absent or undefined: none, and nothing is billed. */
  delivered?(): Quantities | undefined | Promise<Quantities | undefined>;
  /** Whether such a part ends normally, only shorter. Otherwise its client sees an error. */
  readonly isCompleteInPart?: boolean;

  /** Whether `present` only sets `ctx.body`: such an answer is stored with its bill. */
  readonly setsBody?: boolean;
  /** Sends the end of the answer once its bill is on disk, with the charged amount. */
  present(chargedNanos: bigint): void | Promise<void>;
  /** Ends an answer with an error after its head was sent. */
  fail?(error: ErrorBody): void | Promise<void>;
}

interface Running {
  ctx: Context;
  services: CallServices;
  call: PaidCall;
  held: Hold;
  abort: CallAbort;
}

/**
 * Runs one paid call: reserved -> producing -> whole | part | failed, or reserved -> abandoned. Each hold is settled or failed exactly once.
 *
 * - whole: billed; the bill is on disk before the answer's last byte, or the call fails.
 * - part: the client disconnected, its key or its hold ended, or this process ends in mid-answer: billed for the part.
 * - failed: bills nothing. The error is thrown while nothing has left, and presented after.
 * - abandoned: the client disconnected while the call waited for its hold: nothing ran.
 *
 * `already` is money that was reserved for it before.
 */
export async function runPaidCall(
  ctx: Context,
  services: CallServices,
  call: PaidCall,
  already?: Reserved,
): Promise<void> {
  const reserved = already ?? (await reserve(ctx, services, call.price, call));
  const { held } = reserved;
  const abort = new CallAbort();
  if (hasLeft(ctx)) return abandon({ ctx, services, call, held, abort });
  const stopWatching = watchCaller(ctx, services, abort, held);
  if (call.certain) follow({ ctx, services, call, held, abort });
  try {
    if (abort.aborted) throw abort.reason;
    await (tracing ? produceTraced(tracing, call, abort, reserved) : call.produce(reserved, abort));
  } catch (error) {
    stopWatching();
    return endEarly({ ctx, services, call, held, abort }, error);
  }
  stopWatching();
  // Created only now: an object that lives as long as its upstream call may keep the whole request in memory until a large garbage
  // collection.
  return endWhole({ ctx, services, call, held, abort }, call.whole());
}

function produceTraced(to: Tracing, call: PaidCall, abort: CallAbort, reserved: Reserved): Promise<void> {
  const tokensOf = () => ({ input: call.whole().input_tokens, output: call.whole().output_tokens });
  const { model } = call;
  return traceModel(to, { model, upstream: () => abort.upstream, tokensOf }, () => call.produce(reserved, abort));
}

function follow({ held, ...running }: Running): void {
  const { ctx, services, call } = running;
  const hasBegun = () => isSomething(call.certain!());
  // Its client may have its head, but nothing that is billed.
  const billSoFar = () => billOf(running, call.certain!(), hasBegun() ? 200 : LOST_STATUS);
  const count = call.countCertain && (() => call.countCertain!());
  services.db.ledger.follow(held, ctx.state.requestId, billSoFar, { hasBegun, ...(count && { count }) });
}

function abandon({ held, ...running }: Running): never {
  const { ctx, services, call } = running;
  ctx.state.log.cancelled = true;
  const bill = billOf(running, call.unbilled(), CLIENT_CLOSED_STATUS);
  void services.db.ledger.fail(held, { ...bill, cancelled: true });
  throw new Error('the client disconnected before its call began');
}

async function endWhole(running: Running, quantities: Quantities): Promise<void> {
  const { ctx, services, call, held } = running;
  const { keepAnswer, kept } = ctx.state;
  if (keepAnswer) return endKept(running, quantities);
  const isUnsent = !hasBegun(ctx);
  const bill = billOf(running, quantities, 200);
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  if (kept && isUnsent) {
    await kept.pause();
    if (kept.isGone) return endLeft(running);
    const chargedNanos = call.setsBody ? services.db.ledger.chargeOf(held, bill) : undefined;
    if (chargedNanos !== undefined) return endRepeatable(running, { kept, bill, chargedNanos });
  }
  const waitMs = call.settleWaitMs ?? SETTLE_WAIT_MS;
  let chargedNanos: bigint;
  try {
    chargedNanos = await services.db.ledger.settleWithin(waitMs, held, bill, { isUnsent, kept: keptWith(running) });
    ctx.state.log.costNanos = chargedNanos;
    if (isUnsent) ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
  } catch (error) {
    return showFailure(running, error);
  }
  if (kept) kept.isWhole = true;
  await call.present(chargedNanos);
}

/** An answer may cost more than it was held for, as where its upstream counts otherwise: money that is free pays for that too. */
async function growTo(held: Hold, costNanos: bigint): Promise<void> {
  // Without the ledger, or without money, the rest is written off.
  await held.grow(costNanos - held.amountNanos).catch(() => 0n);
}

/** What is kept of a stream and not stored yet. */
function keptWith({ ctx: { state }, services: { db } }: Running): KeptWith | undefined {
  const { kept } = state;
  if (!kept?.isDirty || kept.isDropped) return undefined;
  return { parts: kept.unstored(), onStored: (parts) => db.answers.noteStored(kept, parts) };
}

/** Stores the answer by the statement that bills it, so that a retry of what was billed gets it again. */
async function endRepeatable(
  running: Running,
  { kept, bill, chargedNanos }: { kept: KeptCall; bill: Bill; chargedNanos: bigint },
): Promise<void> {
  const { ctx, services, call, held } = running;
  ctx.res.setHeader('x-cost-usd', usdTextOf(chargedNanos));
  await call.present(chargedNanos);
  const { body } = ctx;
  const isBytes = typeof body === 'string' || body instanceof Uint8Array;
  const { part, content } = kept.complete(headLineOf(ctx), isBytes ? body : JSON.stringify(body));
  ctx.body = content;
  const waitMs = call.settleWaitMs ?? SETTLE_WAIT_MS;
  try {
    const order = { isUnsent: true, ...(part && { kept: { parts: [part], onStored: () => undefined } }) };
    ctx.state.log.costNanos = await services.db.ledger.settleWithin(waitMs, held, bill, order);
    kept.isWhole = true;
  } catch (error) {
    kept.drop();
    ctx.res.removeHeader('x-cost-usd');
    throw error;
  }
}

/** Stores the answer, then bills it: the worker that finds it stored and not billed after a crash bills it. */
async function endKept(running: Running, quantities: Quantities): Promise<void> {
  const { ctx, services, call, held } = running;
  const { ledger } = services.db;
  const bill = billOf(running, quantities, 200);
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  const chargedNanos = chargeNanosOf(held, bill);
  await call.present(chargedNanos);
  let isKept = false;
  try {
    isKept = await ctx.state.keepAnswer!(bill, chargedNanos);
  } finally {
    // Under another id: the answer may be stored although that failed, and is then billed under its own.
    if (!isKept)
      await ledger.fail(held, { ...billOf(running, call.unbilled(), NOT_KEPT_STATUS), requestId: newId('req') });
  }
  if (isKept) ctx.state.log.costNanos = await ledger.settle(held, bill);
}

async function endEarly(running: Running, error: unknown): Promise<void> {
  const { ctx, services, call, held, abort } = running;
  if (abort.reason === 'left') return endLeft(running);
  const part = hasSent(call) ? await partOf(call, abort) : undefined;
  if (part && abort.reason === 'shutdown' && call.isCompleteInPart) return endWhole(running, part);
  const shown = shownError(abort, error);
  const { status } = asApiError(shown, ctx.state.requestId);
  if (part) await billPart(running, part, status);
  else await services.db.ledger.fail(held, billOf(running, call.unbilled(), status));
  return showFailure(running, shown);
}

/** The billed units of a cut answer; undefined for a failed one. A part is billed, because otherwise revoking a key would make it free. */
function partOf(call: PaidCall, { reason }: CallAbort): Quantities | undefined | Promise<Quantities | undefined> {
  if (reason === 'revoked' || reason === 'unheld') return call.consumed();
  return reason === 'shutdown' ? call.delivered?.() : undefined;
}

async function endLeft(running: Running): Promise<void> {
  const { ctx, services, call, held } = running;
  ctx.state.log.cancelled = true;
  const bill = { ...billOf(running, await call.consumed(), CLIENT_CLOSED_STATUS), cancelled: true };
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  const settled = services.db.ledger.settle(held, bill).then((nanos) => (ctx.state.log.costNanos = nanos));
  // Written as soon as the database can; the handler of a disconnected client need not wait for that.
  await waitAtMost(SETTLE_WAIT_MS, settled);
  if (!hasBegun(ctx)) throw new Error('the client disconnected');
}

async function billPart(running: Running, quantities: Quantities, status: number): Promise<void> {
  const { ctx, services, held } = running;
  const bill = { ...billOf(running, quantities, status), cancelled: true };
  // A bill that is not on disk in time is reversed; the client sees the error in any case.
  const charged = services.db.ledger.settleWithin(SETTLE_WAIT_MS, held, bill);
  ctx.state.log.costNanos = await charged.catch(() => undefined);
}

async function showFailure({ ctx, call }: Running, error: unknown): Promise<void> {
  if (!hasBegun(ctx) || !call.fail) throw error;
  ctx.state.log.error = error;
  await call.fail(asApiError(error, ctx.state.requestId).body);
}

const hasBegun = (ctx: Context): boolean => ctx.respond === false;

const isSomething = (quantities: Quantities): boolean => Object.values(quantities).some((units) => units > 0);

const hasSent = ({ sent }: PaidCall): boolean => (sent?.firstByteMs ?? null) !== null;

/** The bill of a call that ends now, priced at its model's rates. */
function billOf({ ctx, services, call, abort }: Omit<Running, 'held'>, quantities: Quantities, status: number): Bill {
  const { model, sent, details } = call;
  services.db.prices.record(model);
  const { requestId, key, route, startedAtMs, product } = ctx.state;
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
    upstream: abort.upstream,
    attempts: abort.attempts,
    finishReason: details?.finishReason ?? null,
    cachedTokens: details?.cachedTokens ?? null,
    reasoningTokens: details?.reasoningTokens ?? null,
    priceId: model.priceId ?? null,
    product: product ?? PRODUCT_OF_KIND[model.kind],
  };
}
