import type { Pool } from 'pg';
import type { Span } from '@opentelemetry/api';
import { apart, inSpan, tracing, type Tracing } from '../../base/tracing.ts';
import { newId } from '../ids.ts';
import { createBatchPoster, type Posting } from './batchPoster.ts';
import { type BilledLine, findResults, LineTaken, placeOf, writeLines } from './billedLines.ts';
import { isRefusedByData, RETRY_DELAY_MS } from '../postgres/databaseErrors.ts';
import type { BilledAnswer } from './deliveryJournal.ts';
import { type DatabaseClock, readClock } from './lease.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import type { AnswerPart } from '../answers/answerPart.ts';
import type { Settlement } from './settlement.ts';
import { createReversals } from './reversals.ts';
import { writeBatch } from './batches.ts';

const BATCH_MAX = 256;
const LINE_CHARACTERS_MAX = 8_000_000;
const NO_READERS: (() => void)[] = [];
const NO_PARTS: AnswerPart[] = [];

/** Parts of an answer that are stored together with its bill. */
export interface KeptWith {
  parts: AnswerPart[];
  /** Called when they are. */
  onStored: (parts: AnswerPart[]) => void;
}

interface Waiting extends Posting {
  /** Its hold certainly exists: then the charge is known before it is posted. */
  isCertain: boolean;
  expiresAtMs: number;
  /** It bills an answer that is sent only afterwards. */
  isUnsent: boolean;
  /** Its answer, to be kept with it. */
  kept: KeptWith | undefined;
  /** The line of a batch that it bills, stored with it. */
  line?: BilledLine | undefined;
  resolve: (chargedNanos: bigint) => void;
  reject: (error: unknown) => void;
  /** Called when it is posted. */
  readers?: (() => void)[];
  /** What waits for it, while tracing is on. */
  span: Span | undefined;
}

/**
 * The only writer of settlements in this process, in two steps. First, waiting settlements are written to disk as one row. The next batch
 * starts when the last one is on disk and no more arrive in this turn of the event loop, so an answer waits for the disk alone and not
 * for a fixed window. Then many batches together are posted over a connection of their own; if this process dies before, the sweep posts
 * them. While the database is down a batch is written again (settlements are idempotent); settlements that expire before that are rejected,
 * and their bills reversed once the database answers. The database itself refuses a batch of which a part has expired, so a statement
 * that waited too long bills nothing.
 */
export function createBatchWriter({
  pool,
  postingPool,
  processId,
  clock,
  journal,
  othersRun,
  onError,
}: {
  pool: Pool;
  postingPool: Pool;
  processId: () => string;
  clock: DatabaseClock;
  /** Where billed answers are recorded until they are sent. */
  journal: { begin: (answers: BilledAnswer[], notAfterMs: number) => void; end: (ids: string[]) => void };
  /** Whether calls run that are not settled yet. */
  othersRun: () => boolean;
  onError: (error: unknown) => void;
}) {
  const poster = createBatchPoster(postingPool, onError);
  const reversals = createReversals({ pool, journal, onError, onAnswer: () => (isHealthy = true) });
  let queue: Waiting[] = [];
  let current: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isHealthy = true;

  /**
   * Resolves with the charge (nano-USD) once the settlement is on disk. Throws `LedgerUnavailable` when it expires before, and `LineTaken`
   * when it bills a line that has a result, or whose batch takes no more.
   */
  function write(
    item: Settlement,
    order: Omit<Posting, 'item'> &
      Pick<Waiting, 'expiresAtMs' | 'isCertain' | 'isUnsent' | 'line'> & { kept?: KeptWith | undefined },
  ): Promise<bigint> {
    return new Promise((resolve, reject) => {
      queue.push({ item, kept: undefined, ...order, resolve, reject, span: tracing?.active() });
      running ??= apart(run);
    });
  }

  async function run(): Promise<void> {
    while (queue.length > 0 || reversals.areDue()) {
      await gather();
      if (!poster.hasRoom()) await poster.slowWriter();
      current = nextOf(queue);
      queue = queue.slice(current.length);
      if (current.length > 0) await (current[0]!.line ? putLines(current) : put(current));
      if (reversals.areDue()) await reversals.reverseDue();
    }
    running = undefined;
  }

  // Settlements of one turn of the event loop are written together, and those of the next turns while each brings some: under load a
  // batch holds twice as many, and each request pays half of its round trip. The only call of the process is written at once.
  async function gather(): Promise<void> {
    if (queue.length === 1 && !othersRun()) return;
    let before: number;
    do {
      before = queue.length;
      await new Promise(setImmediate);
    } while (queue.length > before && queue.length < BATCH_MAX);
  }

  async function put(batch: Waiting[]): Promise<void> {
    const id = newId('batch');
    const unsent = batch.filter(({ isUnsent }) => isUnsent).map(({ item }) => item);
    try {
      const notAfterMs = clock.at(Math.min(...batch.map(({ expiresAtMs }) => expiresAtMs)));
      const items = batch.map(({ item }) => item);
      if (unsent.length > 0) journal.begin(unsent, notAfterMs);
      const parts = batch.flatMap(({ kept }) => kept?.parts ?? NO_PARTS);
      const order = { id, processId: processId(), items, notAfterMs, parts };
      const written = await traceBatch(tracing, batch, () => writeBatch(pool, order));
      if (!written) return await writeRest(batch);
    } catch (error) {
      return keepForLater(batch, error);
    }
    // Their answers are sent in this turn of the event loop. Recorded first, because an answer that was received is never refunded.
    if (unsent.length > 0) journal.end(unsent.map((item) => item.id));
    for (const { kept } of batch) kept?.onStored(kept.parts);
    post(id, batch);
  }

  // Lines never expire: while the database is down they are written again.
  async function putLines(batch: Waiting[]): Promise<void> {
    const id = newId('batch');
    const billed = batch.map(({ item, line }) => ({ item, line: line! }));
    try {
      const order = { id, processId: processId(), billed };
      if (await traceBatch(tracing, batch, () => writeLines(pool, order))) post(id, batch);
      else await sortOut(batch);
    } catch (error) {
      if (isRefusedByData(error)) refuse(batch, error);
      else await keepForLater(batch, error);
    }
  }

  // Lines that could not be written together are written again, without those that have another call's result or an ended batch.
  async function sortOut(batch: Waiting[]): Promise<void> {
    const found = await findResults(
      pool,
      batch.map(({ line }) => line!),
    );
    const taken: Waiting[] = [];
    const others: Waiting[] = [];
    for (const waiting of batch) {
      const requestId = found.get(placeOf(waiting.line!));
      if (requestId !== undefined && requestId !== waiting.item.id) taken.push(waiting);
      else others.push(waiting);
      // Its statement was executed, and only the answer to that was lost: it is billed once, however often its bill is written.
      if (requestId === waiting.item.id) waiting.line = undefined;
    }
    queue = [...others, ...queue];
    refuse(taken, new LineTaken('the line has a result, or its batch takes no more'));
  }

  function refuse(batch: Waiting[], error: unknown): void {
    current = [];
    for (const { reject, readers } of batch) {
      reject(error);
      // They wait for what was written before, too.
      if (readers) void posted().then(() => readers.forEach((read) => read()));
    }
  }

  function post(id: string, batch: Waiting[]): void {
    isHealthy = true;
    current = [];
    const readers = batch.flatMap((waiting) => waiting.readers ?? NO_READERS);
    poster.add({ id, postings: batch.map(telling), ...(readers.length > 0 && { readers }) });
    for (const { item, isCertain, resolve } of batch) if (isCertain) resolve(BigInt(item.charge));
  }

  // Where a hold may be gone, the charge is known only after posting. A waiting batch keeps no other object alive.
  function telling({ item, flushed, hold, isCertain, resolve }: Waiting): Posting {
    if (isCertain) return { item, flushed, hold };
    const end = (chargedNanos: bigint) => {
      hold.end(chargedNanos);
      resolve(chargedNanos);
    };
    return { item, flushed, hold: { end, isExact: hold.isExact } };
  }

  // Refused as expired by the database's clock, which may have been set: it is read again.
  async function writeRest(batch: Waiting[]): Promise<void> {
    clock.learn(await readClock(pool));
    isHealthy = true;
    rejectExpired(batch, new Error('the database came to it too late'));
  }

  async function keepForLater(batch: Waiting[], error: unknown): Promise<void> {
    onError(error);
    isHealthy = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    rejectExpired(batch, error);
  }

  // Settlements that have time left are written with the next batch.
  function rejectExpired(batch: Waiting[], error: unknown): void {
    const nowMs = performance.now();
    const all = [...batch, ...queue];
    current = [];
    queue = all.filter((waiting) => waiting.expiresAtMs > nowMs);
    for (const late of all.filter((waiting) => waiting.expiresAtMs <= nowMs)) {
      reversals.add(late);
      late.reject(new LedgerUnavailable('the settlement did not reach the disk in time', error));
    }
  }

  function posted(): Promise<void> {
    const last = queue.at(-1) ?? current.at(-1);
    return last ? new Promise((resolve) => (last.readers ??= []).push(resolve)) : poster.posted();
  }

  return {
    write,
    /** Whether the last statements reached the database. */
    healthy: () => isHealthy && poster.healthy(),
    /** Resolves when everything written before the call is in the ledger. */
    posted,
    /** What is on disk is posted without gathering more. */
    hurry: poster.hurry,
    /** Resolves when nothing waits any more. */
    drained: async () => {
      await running;
      await poster.drained();
    },
  };
}

/** The settlements that are written next: lines of batches, each once, or others. */
function nextOf(queue: Waiting[]): Waiting[] {
  const places = new Set<string>();
  let characters = 0;
  const endsBefore = ({ line }: Waiting, at: number): boolean => {
    if (at === BATCH_MAX || !line !== !queue[0]!.line) return true;
    if (!line) return false;
    characters += line.output.length;
    const isRepeated = places.has(placeOf(line));
    places.add(placeOf(line));
    return isRepeated || (characters > LINE_CHARACTERS_MAX && at > 0);
  };
  const end = queue.findIndex(endsBefore);
  return queue.slice(0, end === -1 ? undefined : end);
}

/** Writes a batch below the span of its first settlement; spans of the others and this one are linked. */
async function traceBatch<T>(to: Tracing | undefined, batch: Waiting[], write: () => Promise<T>): Promise<T> {
  const [first, ...others] = to ? batch.flatMap(({ span }) => span ?? []) : [];
  if (!to || !first) return write();
  const links = others.map((span) => ({ context: span.spanContext() }));
  return to.within(first, () =>
    inSpan(to, 'ledger.write', { links }, (span) => {
      for (const other of others) other.addLink({ context: span.spanContext() });
      return write();
    }),
  );
}
