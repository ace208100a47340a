import type { Model } from '../db/catalog/catalog.ts';
import { newId } from '../db/ids.ts';
import type { Bill, Hold } from '../db/ledger/ledger.ts';
import { tracing, type Tracing } from '../base/tracing.ts';
import { waitAtMost } from '../base/waiting.ts';
import type { Quantities } from '../db/money.ts';
import { CallAbort } from '../providers/callAbort.ts';
import { traceModel } from '../providers/tracedModel.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import type { KeptWith } from '../db/ledger/batchWriter.ts';
import { chargeNanosOf } from '../db/ledger/settlement.ts';
import { billOf } from './bill.ts';
import { CLIENT_CLOSED_STATUS, type Caller } from './caller.ts';
import type { Delivery, Outcome, Sent } from './delivery.ts';
import { asApiError } from './errors/asApiError.ts';
import { ClientLeft } from './errors/clientLeft.ts';
import type { CallServices } from './services.ts';
import { shownError, watchCaller } from './watchCaller.ts';
import { reserve, type Price, type Reserved } from './reserve.ts';

// An answer whose bill is not on disk by then ends with an error, and is not billed.
const SETTLE_WAIT_MS = 10_000;
// In the record of a call whose answer was not stored.
const NOT_KEPT_STATUS = 409;
// In the record of a stream whose process died before it had produced anything.
const LOST_STATUS = 503;

/**
 * One kind of paid call: what it reserves, how it produces and counts. An object belongs to one call and keeps its state; `runPaidCall`
 * decides when each method is called. It refers to nothing of its request beyond what is sent upstream: how its answer is presented is the
 * matter of its `Delivery`.
 */
export interface PaidCall<Answer = void, To extends Delivery<Answer> = Delivery<Answer>> {
  readonly model: Model;
  readonly price: Price;
  /** The least amount by a count, where that of `price` is a high estimate and more than there is. */
  countLeastNanos?(): Promise<bigint>;
  /** How long the whole answer waits for its bill; 10 s by default. */
  readonly settleWaitMs?: number;

  /** Produces the answer and sends what can be sent before its end. Throws what ended it early; an `abort` with the reason `cut` is a normal end. */
  produce(reserved: Reserved, abort: CallAbort, to: To): Promise<Answer>;

  /** How a text answer ended, if known. Absent for other kinds of calls. */
  readonly details?: Pick<Bill, 'finishReason' | 'cachedTokens' | 'reasoningTokens'> | undefined;
  /** What cut the answer short, beside a smaller hold. */
  readonly truncatedBy?: Reserved['truncatedBy'];
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
  /** Such a part as an answer that ends normally, only shorter. Absent: its client sees an error. */
  shortened?(): Answer;
}

interface Running<Answer> {
  caller: Caller;
  services: CallServices;
  call: PaidCall<Answer>;
  to: Delivery<Answer>;
  held: Hold;
  abort: CallAbort;
  truncatedBy: Reserved['truncatedBy'];
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
export async function runPaidCall<Answer, To extends Delivery<Answer>>(
  caller: Caller,
  services: CallServices,
  call: PaidCall<Answer, To>,
  to: To,
  already?: Reserved,
): Promise<void> {
  if (caller.product !== 'batch') services.db.liveCalls.begin();
  const reserved = already ?? (await reserve(caller, services, call.price, call));
  const { held, truncatedBy } = reserved;
  const abort = new CallAbort();
  if (caller.hasLeft()) return abandon({ caller, services, call, to, held, abort, truncatedBy });
  const stopWatching = watchCaller(caller, services, abort, held);
  if (call.certain) follow({ caller, services, call, to, held, abort, truncatedBy });
  let answer: Answer;
  try {
    if (abort.aborted) throw abort.reason;
    answer = await (tracing ? produceTraced(tracing, call, to, abort, reserved) : call.produce(reserved, abort, to));
  } catch (error) {
    stopWatching();
    return endEarly({ caller, services, call, to, held, abort, truncatedBy }, error);
  }
  stopWatching();
  // Created only now: an object that lives as long as its upstream call may keep the whole request in memory until a large garbage
  // collection.
  return endWhole({ caller, services, call, to, held, abort, truncatedBy }, call.whole(), answer);
}

function produceTraced<Answer, To extends Delivery<Answer>>(
  by: Tracing,
  call: PaidCall<Answer, To>,
  to: To,
  abort: CallAbort,
  reserved: Reserved,
): Promise<Answer> {
  const tokensOf = () => ({ input: call.whole().input_tokens, output: call.whole().output_tokens });
  const { model } = call;
  return traceModel(by, { model, upstream: () => abort.upstream, tokensOf }, () => call.produce(reserved, abort, to));
}

function follow<Answer>({ held, ...running }: Running<Answer>): void {
  const { caller, services, call } = running;
  const hasBegun = () => isSomething(call.certain!());
  // Its client may have its head, but nothing that is billed.
  const billSoFar = () => billOf(running, call.certain!(), hasBegun() ? 200 : LOST_STATUS);
  const count = call.countCertain && (() => call.countCertain!());
  services.db.ledger.follow(held, caller.requestId, billSoFar, { hasBegun, ...(count && { count }) });
}

function abandon<Answer>({ held, ...running }: Running<Answer>): never {
  const { caller, services, call } = running;
  caller.log.cancelled = true;
  const bill = billOf(running, call.unbilled(), CLIENT_CLOSED_STATUS);
  void services.db.ledger.fail(held, { ...bill, cancelled: true });
  throw new ClientLeft('the client disconnected before its call began');
}

async function endWhole<Answer>(running: Running<Answer>, usage: Quantities, answer: Answer): Promise<void> {
  const { caller, services, call, to, held } = running;
  if (to.line) return endLine(running, usage, answer);
  const { kept } = caller;
  const isUnsent = !to.hasBegun;
  const bill = billOf(running, usage, 200);
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  if (kept && isUnsent) {
    await kept.pause();
    if (kept.isGone) return endLeft(running);
    const chargedNanos = to.keep ? services.db.ledger.chargeOf(held, bill) : undefined;
    if (chargedNanos !== undefined)
      return endRepeatable(running, { kept, bill, outcome: outcomeOf(running, usage, chargedNanos) }, answer);
  }
  const waitMs = call.settleWaitMs ?? SETTLE_WAIT_MS;
  let chargedNanos: bigint;
  try {
    chargedNanos = await services.db.ledger.settleWithin(waitMs, held, bill, { isUnsent, kept: keptWith(running) });
    caller.log.costNanos = chargedNanos;
  } catch (error) {
    return showFailure(running, error);
  }
  if (kept) kept.isWhole = true;
  await to.present(answer, outcomeOf(running, usage, chargedNanos));
}

const outcomeOf = <Answer>(
  { call, truncatedBy }: Running<Answer>,
  usage: Quantities,
  chargedNanos: bigint,
): Outcome => ({
  chargedNanos,
  usage,
  truncatedBy: call.truncatedBy ?? truncatedBy,
});

/** An answer may cost more than it was held for, as where its upstream counts otherwise: money that is free pays for that too. */
async function growTo(held: Hold, costNanos: bigint): Promise<void> {
  // Without the ledger, or without money, the rest is written off.
  await held.grow(costNanos - held.amountNanos).catch(() => 0n);
}

/** What is kept of a stream and not stored yet. */
function keptWith({
  caller: { kept },
  services: { db },
}: {
  caller: Caller;
  services: CallServices;
}): KeptWith | undefined {
  if (!kept?.isDirty) return undefined;
  return { parts: kept.unstored(), onStored: (parts) => db.answers.noteStored(kept, parts) };
}

/** Stores the answer by the statement that bills it, so that a retry of what was billed gets it again. */
async function endRepeatable<Answer>(
  { caller, services, call, to, held }: Running<Answer>,
  { kept, bill, outcome }: { kept: KeptCall; bill: Bill; outcome: Outcome },
  answer: Answer,
): Promise<void> {
  await to.present(answer, outcome);
  const part = to.keep!(kept);
  const waitMs = call.settleWaitMs ?? SETTLE_WAIT_MS;
  try {
    const order = { isUnsent: true, ...(part && { kept: { parts: [part], onStored: () => undefined } }) };
    caller.log.costNanos = await services.db.ledger.settleWithin(waitMs, held, bill, order);
    kept.isWhole = true;
  } catch (error) {
    kept.drop();
    to.withdraw?.();
    throw error;
  }
}

/** Bills a line of a batch and stores its result at once: a killed process leaves both or none. */
async function endLine<Answer>(running: Running<Answer>, usage: Quantities, answer: Answer): Promise<void> {
  const { caller, services, call, to, held } = running;
  const { ledger } = services.db;
  const bill = billOf(running, usage, 200);
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  await to.present(answer, outcomeOf(running, usage, chargeNanosOf(held, bill)));
  let chargedNanos: bigint | undefined;
  try {
    chargedNanos = await ledger.settleLine(held, bill, to.line!());
  } finally {
    // Under another id: where it is not known whether the bill is on disk, it may be there under its own.
    if (chargedNanos === undefined)
      await ledger.fail(held, { ...billOf(running, call.unbilled(), NOT_KEPT_STATUS), requestId: newId('req') });
  }
  caller.log.costNanos = chargedNanos;
}

async function endEarly<Answer>(running: Running<Answer>, error: unknown): Promise<void> {
  const { caller, services, call, to, held, abort } = running;
  if (abort.reason === 'left') return endLeft(running);
  const part = hasSent(to) ? await partOf(call, abort) : undefined;
  if (part && abort.reason === 'shutdown' && call.shortened) return endWhole(running, part, call.shortened());
  const shown = shownError(abort, error);
  const { status } = asApiError(shown, caller.requestId);
  if (part) await billPart(running, part, status);
  else await services.db.ledger.fail(held, billOf(running, call.unbilled(), status));
  return showFailure(running, shown);
}

/** The billed units of a cut answer; undefined for a failed one. A part is billed, because otherwise revoking a key would make it free. */
function partOf<Answer>(
  call: PaidCall<Answer>,
  { reason }: CallAbort,
): Quantities | undefined | Promise<Quantities | undefined> {
  if (reason === 'revoked' || reason === 'unheld') return call.consumed();
  return reason === 'shutdown' ? call.delivered?.() : undefined;
}

async function endLeft<Answer>(running: Running<Answer>): Promise<void> {
  const { caller, services, call, to, held } = running;
  caller.log.cancelled = true;
  const bill = { ...billOf(running, await call.consumed(), CLIENT_CLOSED_STATUS), cancelled: true };
  if (bill.costNanos > held.amountNanos) await growTo(held, bill.costNanos);
  const settled = services.db.ledger.settle(held, bill).then((nanos) => (caller.log.costNanos = nanos));
  // Written as soon as the database can; the handler of a disconnected client need not wait for that.
  await waitAtMost(SETTLE_WAIT_MS, settled);
  if (!to.hasBegun) throw new ClientLeft('the client disconnected');
}

async function billPart<Answer>(running: Running<Answer>, quantities: Quantities, status: number): Promise<void> {
  const { caller, services, held } = running;
  const bill = { ...billOf(running, quantities, status), cancelled: true };
  // A bill that is not on disk in time is reversed; the client sees the error in any case.
  const charged = services.db.ledger.settleWithin(SETTLE_WAIT_MS, held, bill);
  caller.log.costNanos = await charged.catch(() => undefined);
}

async function showFailure<Answer>({ caller, to }: Running<Answer>, error: unknown): Promise<void> {
  if (!to.hasBegun || !to.fail) throw error;
  caller.log.error = error;
  await to.fail(asApiError(error, caller.requestId).body);
}

const isSomething = (quantities: Quantities): boolean => Object.values(quantities).some((units) => units > 0);

const hasSent = ({ sent }: { sent?: Sent }): boolean => (sent?.firstByteMs ?? null) !== null;
