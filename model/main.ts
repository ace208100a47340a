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

// A file that is there is loaded before anybody is told the address; a download is not waited for.
const isReady = await host.hasFile();
if (isReady) await host.load(onProgress, stopping.signal);
const server = await startServer(host, config);
report({ event: 'listening', url: server.url });
const loading = isReady ? undefined : host.load(onProgress, stopping.signal);
// What hears runs beside the API. It is fetched here, where progress is told, and nobody waits for it.
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

/** A parent holds the other end of our standard input or IPC channel; when it is gone, so are we. */
function stopWithParent(): void {
  process.once('disconnect', stop);
  const input = fstatSync(0);
  // Anything else (a terminal, /dev/null in a container) says nothing about a parent.
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.once('end', stop).once('error', stop).resume();
}

function report(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
