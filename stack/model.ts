import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const waitTimeoutMs = 300_000;
const failure = /could not be fetched/;

/** Waits until the embedded model answers; gives up early when its file cannot be had, and returns why. */
export async function waitForModel(url: string): Promise<string | undefined> {
  const deadline = Date.now() + waitTimeoutMs;
  let message: string | undefined = 'The embedded model does not answer yet.';
  while (message && Date.now() < deadline && !failure.test(message)) {
    await sleep(100);
    message = await complaintOf(url);
  }
  return message;
}

async function complaintOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('/health', url), { signal: AbortSignal.timeout(2_000) });
    const { message } = (await response.json()) as { message?: string };
    return response.ok ? undefined : (message ?? 'The embedded model is not ready.');
  } catch {
    return 'The embedded model does not answer yet.';
  }
}

/** The id of the first text model in the catalogue. */
export async function firstTextModel(catalogFile: string): Promise<string> {
  const { models } = JSON.parse(await readFile(catalogFile, 'utf8')) as { models: { id: string; kind: string }[] };
  return models.find(({ kind }) => kind === 'text')?.id ?? 'MODEL';
}
