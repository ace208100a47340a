import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';

const CONNECTIONS = 30;

/**
 * Sends `perSecond` requests a second, evenly, until the server is gone.
 * Returns the request ids of the answers that arrived whole.
 */
export async function driveUntilGone(url: string, request: Buffer, perSecond: number): Promise<string[]> {
  const answered: string[] = [];
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(url)));
  const everyMs = (1000 * CONNECTIONS) / perSecond;
  const startedAtMs = performance.now();
  await Promise.all(
    open.map(async (connection, index) => {
      for (let dueMs = startedAtMs + (index * everyMs) / CONNECTIONS; ; dueMs += everyMs) {
        await sleep(Math.max(0, dueMs - performance.now()));
        const answer = await connection.exchange(request);
        if (!answer.isGood) return connection.close();
        answered.push(/x-request-id: (\w+)/i.exec(answer.head)![1]!);
      }
    }),
  );
  return answered;
}
