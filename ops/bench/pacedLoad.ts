import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerReader, Connection, type Load, inTurn, note, noneSeen, type Seen } from './load.ts';

/** A load of so many requests a second, evenly over its connections, whatever the answers take. */
export interface PacedLoad extends Omit<Load, 'staggerMs'> {
  perSecond: number;
}

/** Sends requests at their pace for a period. Latencies are counted from the moment of sending. */
export async function drivePaced(load: PacedLoad, durationMs: number): Promise<Seen> {
  const seen = noneSeen();
  const startedAtMs = performance.now();
  await pace(load, (answer, sentAtMs) => {
    note(answer, sentAtMs, seen);
    return performance.now() - startedAtMs < durationMs;
  });
  seen.seconds = (performance.now() - startedAtMs) / 1000;
  return seen;
}

/** Sends requests at their pace until the server has ended. Returns the request ids of the complete answers. */
export async function driveUntilGone(load: PacedLoad): Promise<string[]> {
  const answered: string[] = [];
  await pace(load, ({ isGood, head }) => {
    if (isGood) answered.push(/x-request-id: (\w+)/i.exec(head)![1]!);
    return isGood;
  });
  return answered;
}

/** A connection is closed once `goesOn` returns false for one of its answers. */
async function pace(
  { url, request, connections, perSecond }: PacedLoad,
  goesOn: (answer: AnswerReader, sentAtMs: number) => boolean,
): Promise<void> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const next = inTurn(request);
  const everyMs = (1000 * connections) / perSecond;
  const startedAtMs = performance.now();
  await Promise.all(
    open.map(async (connection, index) => {
      for (let dueMs = startedAtMs + (index * everyMs) / connections; ; dueMs += everyMs) {
        await sleep(Math.max(0, dueMs - performance.now()));
        const sentAtMs = performance.now();
        if (!goesOn(await connection.exchange(next()), sentAtMs)) return connection.close();
      }
    }),
  );
}
