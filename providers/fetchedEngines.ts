import type { UpstreamAddress } from './upstreamOptions.ts';

/** What an engine of the model's process needs, which is said before it is fetched. */
export interface EngineFacts {
  name: string;
  title: string;
  licence: string;
  diskBytes: number;
  /** The parts, the unpacked parts and the whole are on the disk at once. */
  diskBytesWhileFetched: number;
  memoryBytes: number;
  measured: { tokensPerSecond: number; secondsPerTask: number; on: string };
}

/**
 * The language models that the model's process fetches while it runs. The speed is that of `test/engines/agentModel.drill.test.ts`: a
 * task is a question with five tools.
 */
export const ENGINES: readonly EngineFacts[] = [
  {
    name: 'qwen2.5-coder-1.5b',
    title: 'Qwen2.5-Coder 1.5B',
    licence: 'Apache-2.0',
    diskBytes: 1_117_320_768,
    diskBytesWhileFetched: 3_400_000_000,
    memoryBytes: 2_500_000_000,
    measured: { tokensPerSecond: 8, secondsPerTask: 10, on: 'one thread of a server with two cores' },
  },
];

/** `absent` -> `fetching` -> `fetched` -> `loading` -> `ready`; `failed`: a fetch or a loading, which can be repeated. */
export type EngineState = 'absent' | 'fetching' | 'fetched' | 'loading' | 'ready' | 'failed';

/** An engine as the model's process describes it. */
export interface EngineReport {
  state: EngineState;
  message: string | null;
  /** Of the fetch. */
  bytes: number;
  whole_bytes: number;
  /** The machine of that process. */
  machine: {
    cores: number;
    threads: number;
    memory_bytes: number;
    memory_available_bytes: number;
    disk_available_bytes: number;
  };
}

const LIMIT_MS = 5_000;
const ACTIONS = { describe: 'GET', fetch: 'POST', cancel: 'DELETE' } as const;

/** Asks the model's process about an engine, or to fetch it, or to end that. Undefined: it does not answer. */
export async function askForEngine(
  { baseUrl }: UpstreamAddress,
  name: string,
  action: keyof typeof ACTIONS,
): Promise<EngineReport | undefined> {
  if (!baseUrl) return undefined;
  const method = ACTIONS[action];
  const url = `${baseUrl.replace(/\/+$/, '')}/engines/${name}${action === 'describe' ? '' : '/fetch'}`;
  try {
    const { request } = await import('undici');
    const { statusCode, body } = await request(url, {
      method,
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
    });
    const answer = (await body.json()) as EngineReport;
    return statusCode === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}
