import { fstatSync } from 'node:fs';
import { readConfig } from './config.ts';
import { ModelHost } from './modelHost.ts';
import { enginesToFetch } from './fetching/engineList.ts';
import { fetchEngine } from './fetching/fetchEngine.ts';
import { fetchRecogniser } from './transcription/pocketsphinx.ts';
import { startServer } from './server.ts';

const DRAIN_GRACE_MS = 3000;

const stopping = new AbortController();

/** Runs the embedded model as a separate process. Each line on stdout is one JSON object. */
const config = readConfig();
const onProgress = (message: string) => report({ event: 'model', message });
const host = new ModelHost(config, { onProgress, signal: stopping.signal });

// An existing file is loaded before the address is printed; a download runs in the background.
const isReady = await host.hasFile();
if (isReady) await host.load(onProgress, stopping.signal);
const server = await startServer(host, config);
report({ event: 'listening', url: server.url });
const loading = isReady ? undefined : host.load(onProgress, stopping.signal);
// The audio engines run in the API, but this process fetches them in the background, because it reports progress.
const hearing = config.modelFileIsChosen ? undefined : fetchHearing();
// The largest download comes last.
const agents = Promise.resolve(hearing).then(() => host.agents.fetchChosen());
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
stopWithParent();

async function fetchHearing(): Promise<void> {
  const { dataDir } = config;
  const told = (message: string) => report({ event: 'recogniser', message });
  const tell = (error: Error) => told(error.message);
  // The small model first, which serves until the others are there.
  await fetchRecogniser({ dataDir, onProgress: told, signal: stopping.signal }).catch(tell);
  if (!config.fetchesEngines) return;
  for (const engine of enginesToFetch(config.voices)) {
    if (stopping.signal.aborted) return;
    await fetchEngine(engine, { dataDir, onProgress, signal: stopping.signal }).catch(tell);
  }
}

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort();
  void server.drain(DRAIN_GRACE_MS).then(async () => {
    // An interruption leaves no partial files.
    await Promise.all([loading, hearing, agents, host.agents.cancel()]);
    await host.close();
    process.exit(0);
  });
}

/** A parent holds the other end of standard input or of the IPC channel: this process ends with it. */
function stopWithParent(): void {
  process.once('disconnect', stop);
  const input = fstatSync(0);
  // Other kinds of input (a terminal, /dev/null in a container) are not held by a parent.
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.once('end', stop).once('error', stop).resume();
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
