import { newId } from '../../db/ids.ts';
import type { Installation } from './installation.ts';
import { chatRequest, Connection } from './load.ts';
import { plainRow, type Row } from './report.ts';
import { medianOf } from './statistics.ts';
import type { RunningServer } from './servers.ts';

/** The extra latency of a call that may be retried, in ms: medians of pairs with and without. */
interface KeyedFigures {
  alone: Added;
  twoNodes: Added;
}

interface Added {
  /** A call with an `Idempotency-Key`. */
  keyedMs: number;
  /** An official client's retry whose first try never arrived. */
  retryMs: number;
}

const WARM_UP = 50;

/** Measures it with a single API, then with a second one running. */
export async function measureKeyed(installation: Installation, pairs: number): Promise<KeyedFigures> {
  const started: RunningServer[] = [];
  const keep = async (starting: Promise<RunningServer>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  try {
    const upstream = await keep(installation.startUpstream(0));
    const api = await keep(installation.startApi(upstream.url));
    const alone = await measureAdded(installation, api, pairs);
    await keep(installation.startApi(upstream.url));
    return { alone, twoNodes: await measureAdded(installation, api, pairs) };
  } finally {
    for (const server of started.toReversed()) await server.stop();
  }
}

async function measureAdded({ secret }: Installation, api: RunningServer, pairs: number): Promise<Added> {
  const connection = await Connection.open(api.url);
  const timeOf = async (headers: Record<string, string>) => {
    const request = chatRequest({ key: secret, stream: false, content: newId('bench'), headers });
    const sentAtMs = performance.now();
    const answer = await connection.exchange(request);
    if (!answer.isGood) throw new Error(`a call ended with ${answer.head}`);
    return performance.now() - sentAtMs;
  };
  const added = async (headers: () => Record<string, string>) => {
    const differencesMs: number[] = [];
    for (let pair = -WARM_UP; pair < pairs; pair += 1) {
      const differenceMs = -(await timeOf({})) + (await timeOf(headers()));
      if (pair >= 0) differencesMs.push(differenceMs);
    }
    return medianOf(differencesMs);
  };
  try {
    return {
      keyedMs: await added(() => ({ 'idempotency-key': newId('bench') })),
      retryMs: await added(() => ({ 'x-stainless-retry-count': '1' })),
    };
  } finally {
    connection.close();
  }
}

export function rowsOfKeyed({ alone, twoNodes }: KeyedFigures): Row[] {
  const row = (figure: string, addedMs: number, max: number) => plainRow(`added ms p50, ${figure}`, addedMs, { max });
  return [
    row('idempotency key, one API', alone.keyedMs, 2),
    row('idempotency key, two APIs', twoNodes.keyedMs, 10),
    row('retry without a first try, one API', alone.retryMs, 2),
    row('retry without a first try, two APIs', twoNodes.retryMs, 10),
  ];
}
