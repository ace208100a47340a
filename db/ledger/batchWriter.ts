import type { Pool } from 'pg';
import { LedgerUnavailable } from './refusals.ts';
import { reverseSettlement, settleAgain, settleBatch, type Settlement } from './statements.ts';

const BATCH_MAX = 256;
const RETRY_DELAY_MS = 100;

interface Waiting {
  item: Settlement;
  flushed: boolean;
  expiresAtMs: number;
  /** Sent before: then it may be settled already. */
  isTried: boolean;
  /** Told once, what was charged (nano-USD), when that can't change any more. */
  onFinal: (chargedNanos: bigint) => void;
  resolve: (chargedNanos: bigint) => void;
  reject: (error: unknown) => void;
}

export type BatchWriter = ReturnType<typeof createBatchWriter>;

/**
 * The one writer of settlements in this process. What waits is written in one statement, and the next batch starts when the last is
 * on disk: a hot account costs one row lock a batch, and nobody waits for a window of time. While the database is away a batch is
 * tried again (settlements are idempotent); what expires meanwhile is rejected, and its bill taken back once the database answers.
 */
export function createBatchWriter(pool: Pool, onError: (error: unknown) => void) {
  let queue: Waiting[] = [];
  let takenBack: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isHealthy = true;

  /** Resolves with what was charged (nano-USD) once the settlement is on disk. Throws `LedgerUnavailable` when it expires before. */
  function write(
    item: Settlement,
    order: { flushed: boolean; expiresAtMs: number; onFinal: (chargedNanos: bigint) => void },
  ): Promise<bigint> {
    return new Promise((resolve, reject) => {
      queue.push({ item, ...order, isTried: false, resolve, reject });
      running ??= run();
    });
  }

  async function run(): Promise<void> {
    while (queue.length > 0 || takenBack.length > 0) {
      const batch = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      if (batch.length > 0) await settle(batch);
      if (takenBack.length > 0) await reverse();
    }
    running = undefined;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    const isNew = !batch.some(isTried);
    for (const each of batch) each.isTried = true;
    try {
      const charged = await send(batch, isNew);
      isHealthy = true;
      for (const each of batch) finish(each, charged?.get(each.item.id) ?? BigInt(each.item.charge));
    } catch (error) {
      if (!isRefusedByData(error)) return keepForLater(batch, error);
      if (!isNew && batch.length === 1) return refuse(batch[0]!, error);
      // One that breaks a rule, was settled before or lost its hold must not keep the others of its batch from being settled.
      for (const each of batch) await settle([each]);
    }
  }

  /** Returns what was charged, where that may differ from what was asked. */
  async function send(batch: Waiting[], isNew: boolean): Promise<Map<string, bigint> | undefined> {
    const items = batch.map(itemOf);
    const flushedIds = batch.filter(isFlushed).map(idOf);
    if (!isNew) return settleAgain(pool, items, flushedIds);
    await settleBatch(pool, items, flushedIds);
    return undefined;
  }

  function finish({ onFinal, resolve }: Waiting, chargedNanos: bigint): void {
    onFinal(chargedNanos);
    resolve(chargedNanos);
  }

  function refuse({ onFinal, reject }: Waiting, error: unknown): void {
    onError(error);
    onFinal(0n);
    reject(new LedgerUnavailable('a settlement was refused', error));
  }

  async function keepForLater(batch: Waiting[], error: unknown): Promise<void> {
    onError(error);
    isHealthy = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    const nowMs = performance.now();
    const all = [...batch, ...queue];
    queue = all.filter((waiting) => waiting.expiresAtMs > nowMs);
    for (const late of all.filter((waiting) => waiting.expiresAtMs <= nowMs)) {
      // Whether it reached the disk is not known: its bill is taken back when the database can be asked.
      takenBack.push(late);
      late.reject(new LedgerUnavailable('the settlement did not reach the disk in time', error));
    }
  }

  async function reverse(): Promise<void> {
    const items = takenBack;
    takenBack = [];
    for (const [index, { item, onFinal }] of items.entries()) {
      try {
        await reverseSettlement(pool, { ...item, status: 503, cost: 0, charge: 0 });
        isHealthy = true;
        // Not before: until then its hold may have been charged on the disk.
        onFinal(0n);
      } catch (error) {
        onError(error);
        if (isRefusedByData(error)) {
          onFinal(0n);
          continue;
        }
        takenBack.push(...items.slice(index));
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
        return;
      }
    }
  }

  return {
    write,
    /** Whether the last statement reached the database. */
    healthy: () => isHealthy,
    /** Resolves when everything that was written is on disk. */
    drained: async () => running,
  };
}

const itemOf = (waiting: Waiting) => waiting.item;
const isTried = (waiting: Waiting) => waiting.isTried;
const isFlushed = (waiting: Waiting) => waiting.flushed;
const idOf = (waiting: Waiting) => waiting.item.id;

// SQLSTATE classes of errors that a repetition can't mend: data, integrity, unknown names, raised exceptions.
function isRefusedByData(error: unknown): boolean {
  return /^(22|23|42|P0)...$/.test((error as { code?: string }).code ?? '');
}
