import { measureColdStart, measureMemory, type Memory } from './footprint.ts';
import type { Installation } from './installation.ts';
import { measureKeyed, type KeyedFigures } from './keyed.ts';
import { type Killed, measureKilled } from './killed.ts';
import { type LedgerRates, measureLedger } from './ledger.ts';
import { chatRequest } from './load.ts';
import { OTHER_CORE, pinTree, residentMiBOf } from './servers.ts';
import { inShortRounds, measurePoint, type Point, type Rounds, withTargets } from './point.ts';
import { measureRuns, type RunFigures, type RunPlan } from './runs/runs.ts';
import { measureSpeech, type SpeechFigures } from './speech.ts';

/** The sizes of all measurements: a default run takes about nine minutes. */
export interface Plan extends Rounds {
  accounts: number;
  memoryRequests: number;
  coldStarts: number;
  killAfterMs: number;
  keyedPairs: number;
  runs: RunPlan;
}

export const FULL_PLAN: Plan = {
  rounds: 5,
  roundMs: 1_500,
  warmUpMs: 6_000,
  accounts: 1_000,
  memoryRequests: 50_000,
  coldStarts: 5,
  killAfterMs: 3_000,
  keyedPairs: 500,
  runs: { rounds: 5, callsAlone: 40, runsTogether: 150, inFlight: 50, readers: 200, readersMs: 2_000 },
};
export const QUICK_PLAN: Plan = {
  rounds: 2,
  roundMs: 1_000,
  warmUpMs: 2_000,
  accounts: 200,
  memoryRequests: 5_000,
  coldStarts: 2,
  killAfterMs: 1_500,
  keyedPairs: 100,
  runs: { rounds: 2, callsAlone: 20, runsTogether: 100, inFlight: 50, readers: 200, readersMs: 1_000 },
};

export interface Measured {
  chat: { c64: Point; c16: Point; c1: Point };
  streams: Point;
  firstText: Point;
  memory: Memory;
  /** Resident memory after streams, which load the tokenizer's table. */
  afterStreamsMiB: number;
  coldStartMs: { raw: number; ours: number };
  ledger: LedgerRates;
  runs: RunFigures;
  speech: SpeechFigures;
  killed: Killed;
  keyed: KeyedFigures;
}

// Chunks at a model's pace, and staggered starts of streams: this measures the first token's latency, not a queue for the processor.
const PACED_DELAY_MS = 10;
const FIRST_TEXT_STREAMS = 8;

/** Runs all measurements. `onProgress` is called before each. */
export async function measureAll(
  installation: Installation,
  plan: Plan,
  onProgress: (text: string) => void,
): Promise<Measured> {
  onProgress('ledger');
  const ledger = await measureLedger(installation, plan);
  const runs = await measureRuns(installation, plan.runs, onProgress);
  // Until here everything used all cores; from here on the measured server has a separate core.
  pinTree(process.pid, OTHER_CORE);
  pinTree(installation.postgres.pid, OTHER_CORE);
  onProgress('speech, 2,000 characters');
  const speech = await measureSpeech();
  const fast = await measureFast(installation, plan, onProgress);
  onProgress('first token, 8 streams');
  const firstText = await measureFirstText(installation, plan);
  onProgress('cold start');
  const coldStartMs = await measureStarts(installation, plan);
  onProgress('killed under load');
  const killed = await measureKilled(installation, wholeOf(installation), plan.killAfterMs);
  onProgress('calls with an idempotency key');
  const keyed = await measureKeyed(installation, plan.keyedPairs);
  return { ...fast, firstText, coldStartMs, ledger, runs, speech, killed, keyed };
}

const wholeOf = ({ secret }: Installation) => chatRequest({ key: secret, stream: false });
const streamOf = ({ secret }: Installation) => chatRequest({ key: secret, stream: true });

function measureFast(installation: Installation, plan: Plan, onProgress: (text: string) => void) {
  const request = wholeOf(installation);
  return withTargets(installation, 0, async (targets) => {
    const chatAt = (connections: number) => {
      onProgress(`chat, ${connections} connections`);
      return measurePoint(targets, { request, connections }, inShortRounds(plan));
    };
    const chat = { c64: await chatAt(64), c16: await chatAt(16), c1: await chatAt(1) };
    onProgress(`memory, ${plan.memoryRequests} requests`);
    const memory = await measureMemory(targets.ours, { request, connections: 64 }, plan.memoryRequests);
    onProgress('chunks, 16 streams');
    const streams = await measurePoint(targets, { request: streamOf(installation), connections: 16 }, plan);
    return { chat, streams, memory, afterStreamsMiB: residentMiBOf(targets.ours.pid) };
  });
}

function measureFirstText(installation: Installation, plan: Plan): Promise<Point> {
  const staggerMs = plan.roundMs / FIRST_TEXT_STREAMS;
  const load = { request: streamOf(installation), connections: FIRST_TEXT_STREAMS, staggerMs };
  return withTargets(installation, PACED_DELAY_MS, (targets) => measurePoint(targets, load, plan));
}

async function measureStarts(installation: Installation, plan: Plan) {
  const upstream = await installation.startUpstream(0);
  const request = wholeOf(installation);
  const raw = await measureColdStart(() => installation.startProxy('rawHttp', upstream.url), request, plan.coldStarts);
  const ours = await measureColdStart(() => installation.startApi(upstream.url), request, plan.coldStarts);
  await upstream.stop();
  return { raw, ours };
}
