import type { Pool } from 'pg';
import { createKeptAnswers } from '../../../db/answers/keptAnswers.ts';
import type { CallOrder, KeptCall } from '../../../db/answers/keptCall.ts';
import type { StoredPart } from '../../../db/answers/readParts.ts';
import type { AnswerPart } from '../../../db/answers/answerPart.ts';
import { LedgerUnavailable } from '../../../db/postgres/ledgerUnavailable.ts';
import type { Notice } from '../../../db/postgres/notices.ts';
import type { RowsOfAll } from '../../../db/postgres/rows.ts';
import { followAnswer } from '../../../api/replay/followAnswer.ts';

type Row = AnswerPart & { slot: number };
type Statement = { name: string; values: unknown[] };
interface Found {
  where: { requestId: string; part?: { $gte: number } };
}

/** A table of parts in memory, whose statements take their time, fail, or fail after they were executed, by chance. */
export function createPartTable(random: () => number) {
  const rows: Row[] = [];
  let slot = 0;
  let failureShare = 0;
  let readFailureShare = 0;

  /** In another turn of the event loop, or in a later microtask. */
  async function pause(): Promise<void> {
    const chance = random();
    if (chance < 0.3) for (let hops = random() * 6; hops > 0; hops -= 1) await Promise.resolve();
    else if (chance < 0.7) await new Promise(setImmediate);
    else await new Promise((resolve) => setTimeout(resolve, random() * 30));
  }

  function insert(parts: AnswerPart[]): void {
    const isHere = (one: AnswerPart) => rows.some((row) => row.slot === slot && isSame(row, one));
    for (const part of parts) if (!isHere(part)) rows.push({ ...part, bytes: Buffer.from(part.bytes), slot });
  }

  /** Stores parts at a moment of the statement's own. */
  async function store(parts: AnswerPart[]): Promise<void> {
    const chance = random();
    await pause();
    if (chance < failureShare / 2) throw new Error('the database is away');
    insert(parts);
    await pause();
    if (chance < failureShare) throw new Error('the answer of the database was lost');
  }

  function mayRead(): void {
    if (random() < readFailureShare) throw new LedgerUnavailable('the database cannot be read');
  }

  async function query({ name, values }: Statement) {
    if (name === 'answer_parts_store') await store(partsOf(values));
    return { rows: [], rowCount: 0 };
  }

  async function find({ where: { requestId, part } }: Found): Promise<Row[]> {
    await pause();
    mayRead();
    const from = part?.$gte ?? 0;
    const found = rows.filter((row) => row.requestId === requestId && row.part >= from);
    await pause();
    return found.toSorted((a, b) => a.part - b.part);
  }

  return {
    query,
    find,
    mayRead,
    store,
    pause,
    /** How many parts are stored. */
    count: () => new Set(rows.map(({ part }) => part)).size,
    /** The next period of ten minutes begins. */
    turn: () => void (slot = (slot + 1) % 3),
    fail: (share: number) => void (failureShare = share),
    failReads: (share: number) => void (readFailureShare = share),
  };
}

const isSame = (a: AnswerPart, b: AnswerPart): boolean => a.requestId === b.requestId && a.part === b.part;

function partsOf(values: unknown[]): AnswerPart[] {
  const [ids, parts, workspaces, fingerprints, states, places, sizes, bytes] = values as [
    string[],
    number[],
    string[],
    (string | null)[],
    AnswerPart['state'][],
    number[],
    number[],
    Uint8Array,
  ];
  return ids.map((requestId, at) => ({
    requestId,
    part: parts[at]!,
    workspaceId: workspaces[at]!,
    fingerprint: fingerprints[at]!,
    state: states[at]!,
    bytes: bytes.subarray(places[at]! - 1, places[at]! - 1 + sizes[at]!),
  }));
}

export type PartTable = ReturnType<typeof createPartTable>;

/** Two processes that share this table and receive each other's notices. */
export function openProcesses(table: PartTable) {
  const listeners = new Set<(notice: Notice) => void>();
  const send = async (_: unknown, notice: Notice): Promise<undefined> => {
    await table.pause();
    for (const hear of listeners) hear(notice);
  };
  const read = () => ({
    statement: (work: (rows: object) => Promise<unknown>) =>
      work({ em: { find: (_: unknown, where: Found['where']) => table.find({ where }) } }),
  });
  return ['first', 'second'].map((id) => {
    const others = ['first', 'second'].filter((other) => other !== id);
    const query = async (statement: Statement) => {
      if (!statement.name.startsWith('others')) return table.query(statement);
      table.mayRead();
      return { rows: others.map((other) => ({ id: other, renews: true })), rowCount: others.length };
    };
    return createKeptAnswers({
      pool: { query } as unknown as Pool,
      notices: {
        address: id,
        listen: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        notifyAll: async () => undefined,
        send,
      },
      processId: () => id,
      runsProcess: 'none',
      read: read as unknown as RowsOfAll['read'],
      spends: true,
      onError: () => {},
    });
  });
}

export type Answers = ReturnType<typeof createKeptAnswers>;

/** What a reader got from this part on. */
export async function readAnswer(
  answers: Answers,
  { order: { workspaceId, requestId } }: KeptCall,
  { from, partsMax = Infinity }: { from: number; partsMax?: number },
): Promise<StoredPart[]> {
  const got: StoredPart[] = [];
  const isOver = () => got.length >= partsMax;
  const services = { db: { answers } } as unknown as Parameters<typeof followAnswer>[0];
  for await (const parts of followAnswer(services, { workspaceId, requestId, from, isOver })) got.push(...parts);
  return got;
}

export const orderOf = (requestId: string, graceMs: number): CallOrder => ({
  requestId,
  workspaceId: 'ws_1',
  fingerprint: null,
  bodyHash: null,
  graceMs,
});
