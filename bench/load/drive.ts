import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerReader } from './answerReader.ts';
import { Connection } from './connection.ts';

export interface Load {
  url: string;
  request: Buffer;
  /** Connections, each with one request under way at any time. */
  connections: number;
  /** How long after the one before it each connection sends its first request: otherwise all send at once. */
  staggerMs?: number;
}

/** What a load saw until its end. */
export interface Seen {
  seconds: number;
  answers: number;
  errors: number;
  latenciesMs: number[];
  events: number;
  firstTextMs: number[];
}

/** Keeps all connections busy until `isOver` says so; a connection that breaks is not replaced. */
export async function drive(
  { url, request, connections, staggerMs = 0 }: Load,
  isOver: (seen: Seen) => boolean,
): Promise<Seen> {
  const seen: Seen = { seconds: 0, answers: 0, errors: 0, latenciesMs: [], events: 0, firstTextMs: [] };
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const startedAtMs = performance.now();
  const begin = async (connection: Connection, place: number): Promise<void> => {
    if (staggerMs > 0) await sleep(place * staggerMs);
    return keepBusy(connection, request, seen, isOver);
  };
  await Promise.all(open.map(begin));
  seen.seconds = (performance.now() - startedAtMs) / 1000;
  for (const connection of open) connection.close();
  return seen;
}

/** Until so much time has passed. */
export function untilElapsed(durationMs: number): () => boolean {
  const endsAtMs = performance.now() + durationMs;
  return () => performance.now() >= endsAtMs;
}

async function keepBusy(connection: Connection, request: Buffer, seen: Seen, isOver: (seen: Seen) => boolean) {
  while (!isOver(seen)) {
    const sentAtMs = performance.now();
    const answer = await connection.exchange(request);
    note(answer, sentAtMs, seen);
    if (!answer.isGood) return;
  }
}

function note(answer: AnswerReader, sentAtMs: number, seen: Seen): void {
  if (!answer.isGood) seen.errors += 1;
  else seen.answers += 1;
  seen.latenciesMs.push(performance.now() - sentAtMs);
  seen.events += answer.events;
  if (answer.firstTextAtMs !== undefined) seen.firstTextMs.push(answer.firstTextAtMs - sentAtMs);
}
