import { fstatSync } from 'node:fs';
import { readConfig } from './config.ts';
import { ModelHost } from './modelHost.ts';
import { fetchRecogniser } from '../providers/embedded/transcription/pocketsphinx.ts';
import { startServer } from './server.ts';

const DRAIN_GRACE_MS = 3000;

const stopping = new AbortController();

/** Runs the embedded model as a process of its own. Each line on stdout is one JSON object. */
const config = readConfig();
const host = new ModelHost(config);
const onProgress = (message: string) => report({ event: 'model', message });

// An existing file is loaded before the address is printed; a download runs in the background.
const isReady = await host.hasFile();
if (isReady) await host.load(onProgress, stopping.signal);
const server = await startServer(host, config);
report({ event: 'listening', url: server.url });
const loading = isReady ? undefined : host.load(onProgress, stopping.signal);
// The recogniser runs beside the API. It is fetched here, in the background, because this process reports progress.
const hearing = config.modelFileIsChosen ? undefined : fetchHearing();
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
stopWithParent();

async function fetchHearing(): Promise<void> {
  const { dataDir } = config;
  const told = (message: string) => report({ event: 'recogniser', message });
  await fetchRecogniser({ dataDir, onProgress: told, signal: stopping.signal }).catch((error: Error) =>
    told(error.message),
  );
}

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort();
  void server.drain(DRAIN_GRACE_MS).then(async () => {
    // Neither leaves anything half done behind.
    await Promise.all([loading, hearing]);
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
