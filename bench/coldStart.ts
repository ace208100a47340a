import { Connection } from './load/connection.ts';
import type { RunningServer } from './servers.ts';
import { medianOf } from './statistics.ts';

/** Time from the start of a server's process to its first whole answer: the median of some starts, in milliseconds. */
export async function measureColdStart(
  start: () => Promise<RunningServer>,
  request: Buffer,
  starts: number,
): Promise<number> {
  const timesMs: number[] = [];
  for (let index = 0; index < starts; index += 1) {
    const startedAtMs = performance.now();
    const server = await start();
    const connection = await Connection.open(server.url);
    const answer = await connection.exchange(request);
    timesMs.push(performance.now() - startedAtMs);
    connection.close();
    await server.stop();
    if (!answer.isGood) throw new Error(`${server.name} answered its first request with ${answer.head}`);
  }
  return medianOf(timesMs);
}
