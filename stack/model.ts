import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_TIMEOUT_MS = 300_000;
const FETCH_FAILURE = /could not be fetched/;

/** The message while a model is being fetched or loaded. */
export const MODEL_IS_LATE = 'The embedded model does not answer yet.';

/** Waits until the embedded model answers; gives up early when its file is not available, and returns why. */
export async function waitForModel(url: string): Promise<string | undefined> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  let message: string | undefined = MODEL_IS_LATE;
  while (message && Date.now() < deadline && !FETCH_FAILURE.test(message)) {
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
    return MODEL_IS_LATE;
  }
}

/** The id of the first text model in the catalogue that can answer: without the embedded model, one with another upstream. */
export async function firstTextModel(
  catalogFile: string,
  { hasEmbeddedModel }: { hasEmbeddedModel: boolean },
): Promise<string | undefined> {
  const { models, upstreams } = JSON.parse(await readFile(catalogFile, 'utf8')) as Catalogue;
  const isThere = ({ upstream }: { upstream: string }) => upstreams[upstream]?.baseUrl !== '${EMBEDDED_URL}';
  return models.find((model) => model.kind === 'text' && (hasEmbeddedModel || model.upstreams.some(isThere)))?.id;
}

type Catalogue = {
  upstreams: Record<string, { baseUrl?: string }>;
  models: { id: string; kind: string; upstreams: { upstream: string }[] }[];
};
