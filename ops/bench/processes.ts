import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../stack/process/port.ts';
import { findLimitsProgram, startLimitsServer } from '../stack/limitsServer.ts';
import type { Bench } from './area.ts';
import { createSpender, type Installation } from './installation.ts';
import { chatRequest, drive, type Load, untilElapsed } from './load.ts';
import { treeMicrosOf } from './machine/processor.ts';
import type { Rounds } from './point.ts';
import type { RunningServer } from './servers.ts';

/** One round of an API under load. CPU is that of a call, in microseconds. */
export interface ApiRound {
  callsPerSecond: number;
  /** All processes of the API. */
  apiMicros: number;
  databaseMicros: number;
  limitsMicros: number;
  /** Answers of 402 and 429; no balance and no limit is reached. */
  refusals: number;
  errors: number;
}

/** An API of one process, and one of two that share their limits over Valkey or Redis. */
export type Scaled = Record<'one' | 'two', ApiRound[]>;

/** Null without Valkey or Redis on this machine. */
export type ProcessFigures = { spread: Scaled; hot: Scaled } | null;

// As many for each process.
const CONNECTIONS = { one: 64, two: 128 };
// Each process is warm after some ten thousand calls, and on one core two of them need four times as long for that.
const WARM_UPS = { one: 1, two: 4 };
const ACCOUNTS = 200;
// Some ten times what a run spends, so that processes share one balance in slices and never run out of it.
const HOT_CREDIT_NANOS = 200_000_000_000n;
const STOP_MS = 5_000;
const LEAD_IN_MS = 500;
const SECOND_START_MS = 3_000;

/**
 * Calls of many accounts and of a single one, by one process and by two in turn. Both have only the server's core: load and PostgreSQL need
 * the other one, and would take different shares of a second core from one process and from two.
 */
export async function measureProcesses({ installation, plan, searchPath, onProgress }: Bench): Promise<ProcessFigures> {
  if (findLimitsProgram(searchPath) === undefined) return null;
  const { db, folder } = installation;
  const spenders = await Promise.all(Array.from({ length: ACCOUNTS }, () => createSpender(db)));
  const hot = await createSpender(db, HOT_CREDIT_NANOS);
  const requestOf = ({ secret }: { secret: string }) => chatRequest({ key: secret, stream: false });
  const port = await freePort();
  const limits = await startLimitsServer({ dataDir: folder, searchPath, port, log: () => {} });
  const upstream = await installation.startUpstream(0);
  const shared = { API_PROCESSES: '2', LIMITS_REDIS_URL: `redis://127.0.0.1:${port}` };
  const one = await installation.startApi(upstream.url);
  const two = await installation.startApi(upstream.url, shared);
  // The API says that it listens once its first process does.
  await sleep(SECOND_START_MS);
  try {
    const measure = (text: string, request: Load['request']) => {
      onProgress(`one and two processes, ${text}`);
      return scaledBy({ installation, one, two, limitsPid: limits.pid }, request, plan);
    };
    return {
      spread: await measure('many accounts', spenders.map(requestOf)),
      hot: await measure('one account', requestOf(hot)),
    };
  } finally {
    for (const server of [two, one, upstream]) await server.stop();
    await limits.stop(STOP_MS);
  }
}

interface ProcessStage {
  installation: Installation;
  one: RunningServer;
  two: RunningServer;
  limitsPid: number;
}

async function scaledBy(
  stage: ProcessStage,
  request: Load['request'],
  { rounds, roundMs, warmUpMs }: Rounds,
): Promise<Scaled> {
  const scaled: Scaled = { one: [], two: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['one', 'two'] as const) {
      const { url, pid } = stage[name];
      const load = { url, request, connections: CONNECTIONS[name] };
      const measured = await measureRound(stage, { load, pid, ms: round === 0 ? warmUpMs * WARM_UPS[name] : roundMs });
      // The first round is a warm-up.
      if (round > 0) scaled[name].push(measured);
    }
  }
  return scaled;
}

async function measureRound(
  { installation: { database }, limitsPid }: ProcessStage,
  { load, pid, ms }: { load: Load; pid: number; ms: number },
): Promise<ApiRound> {
  // Slices of the balance that were returned since the last round are taken again: what is measured comes after that.
  await drive(load, untilElapsed(LEAD_IN_MS));
  await database.posted();
  const readAll = () => [treeMicrosOf(pid), database.cpuMicros(), treeMicrosOf(limitsPid)];
  const before = readAll();
  const seen = await drive(load, untilElapsed(ms));
  await database.posted();
  const [apiMicros, databaseMicros, limitsMicros] = readAll().map(
    (micros, at) => (micros - before[at]!) / seen.answers,
  );
  return {
    callsPerSecond: seen.answers / seen.seconds,
    apiMicros: apiMicros!,
    databaseMicros: databaseMicros!,
    limitsMicros: limitsMicros!,
    refusals: seen.refusals.filter((status) => status === 402 || status === 429).length,
    errors: seen.errors,
  };
}
