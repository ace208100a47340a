import { parentPort, workerData } from 'node:worker_threads';
import type { RulesUpstream } from './rulesThread.ts';

/** The thread of a rule-based upstream; it answers each heartbeat, so that its parent sees that it is not stuck. */
const { upstream, port } = workerData as { upstream: RulesUpstream; port: number };
const parent = parentPort!;

const { url } = await open();
parent.on('message', () => parent.postMessage('beat', []));
parent.postMessage({ url }, []);

async function open(): Promise<{ url: string }> {
  if (upstream === 'test') return (await import('./testMode/testUpstream.ts')).startTestUpstream(port);
  return (await import('./rehearsal/rehearsalUpstream.ts')).startRehearsalUpstream(port);
}
