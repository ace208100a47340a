import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendEvents, type NewEvent } from '../../../db/events/appendEvents.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { cpuMicrosOf } from '../machine/processor.ts';
import { createRuns, type RunStage } from './stage.ts';

/** One round of events delivered to many readers of one run. */
export interface Delivered {
  readers: number;
  /** Events written to the run. */
  written: number;
  deliveredPerSecond: number;
  cpuMicrosPerDelivery: number;
}

const DELTA = { item_id: 'item_bench', delta: 'A few words that a model said. ', offset: 0 };
const NEWLINE = 10;
const EVENT_END = Buffer.from('\n\n');
const POLL_MS = 2;
const WAIT_MS = 60_000;

/** Events per second to this many readers of one run: written one by one for a time, and counted until every reader has all. */
export async function measureReaders(
  stage: RunStage,
  { readers, roundMs, rounds }: { readers: number; roundMs: number; rounds: number },
): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const one = await feedReaders(stage, readers, roundMs);
    // The first round is a warm-up.
    if (round > 0) delivered.push(one);
  }
  return delivered;
}

async function feedReaders({ installation, api }: RunStage, readers: number, roundMs: number): Promise<Delivered> {
  const [run] = await createRuns(installation, 1);
  const { id, last_sequence: before } = run!;
  const open = Array.from({ length: readers }, () => new Reader(api.url, id, installation.secret));
  await allHave(open, before);
  const cpuBefore = cpuMicrosOf(api.pid);
  const startedAtMs = performance.now();
  let written = 0;
  for (; performance.now() - startedAtMs < roundMs; written += 1) {
    const events: NewEvent[] = [{ type: 'run.output_text.delta', data: DELTA }];
    await inTransaction(installation.db.pool, (client) => appendEvents(client, id, events));
  }
  await allHave(open, before + written);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const delivered = written * readers;
  const cpuMicrosPerDelivery = (cpuMicrosOf(api.pid) - cpuBefore) / delivered;
  for (const reader of open) reader.close();
  return { readers, written, deliveredPerSecond: delivered / seconds, cpuMicrosPerDelivery };
}

async function allHave(readers: Reader[], events: number): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while (readers.some((reader) => reader.events < events)) {
    if (performance.now() > deadlineMs) throw new Error('a reader did not get all events of its run');
    await sleep(POLL_MS);
  }
}

/** A reader that only counts a run's events. */
class Reader {
  events = 0;
  #endsWithLine = false;
  readonly #socket: Socket;

  constructor(origin: string, runId: string, key: string) {
    const { hostname, port } = new URL(origin);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const head = `host: 127.0.0.1\r\nauthorization: Bearer ${key}\r\naccept: text/event-stream`;
    this.#socket.write(`GET /v1/runs/${runId}/events HTTP/1.1\r\n${head}\r\n\r\n`);
    this.#socket.on('data', (chunk: Buffer) => this.#count(chunk));
  }

  close(): void {
    this.#socket.destroy();
  }

  // An event ends with an empty line, which may be split between two chunks.
  #count(chunk: Buffer): void {
    if (this.#endsWithLine && chunk[0] === NEWLINE) this.events += 1;
    for (let at = chunk.indexOf(EVENT_END); at !== -1; at = chunk.indexOf(EVENT_END, at + 2)) this.events += 1;
    this.#endsWithLine = chunk.at(-1) === NEWLINE && chunk.at(-2) !== NEWLINE;
  }
}
