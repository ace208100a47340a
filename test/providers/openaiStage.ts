import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach } from '@jest/globals';
import { createOpenAiProvider } from '../../providers/openai.ts';
import type { UpstreamOptions } from '../../providers/upstreamOptions.ts';
import type { Json } from '../../providers/provider.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';

export type OpenAiProvider = ReturnType<typeof createOpenAiProvider>;

/** Timeouts for a provider that must time out. From a second on undici counts only the time in which the process ran. */
const shortTimeouts = { idleTimeoutMs: 1_100, answerTimeoutMs: 1_100 };

/** The signal of a caller who does not disconnect. */
export const never = new AbortController().signal;

/** The members of a streamed request besides its messages. */
export const usageAsked = { stream: true, stream_options: { include_usage: true } };

/**
 * A scripted upstream for the tests of a file, reset before each, a provider without practical timeouts for it, and one with short ones.
 * All end with the file.
 */
export async function openStage() {
  const upstream = await startScripted();
  const provider = providerAt(upstream.url);
  const impatient = providerAt(upstream.url, shortTimeouts);
  afterEach(() => upstream.reset());
  afterAll(async () => {
    await Promise.all([provider.close(), impatient.close()]);
    await upstream.stop();
  });
  return { upstream, provider, impatient };
}

/** A provider for an upstream. Only the upstream or the caller ends a call, unless a limit is given. */
export function providerAt(baseUrl: string, more: Partial<UpstreamOptions> = {}): OpenAiProvider {
  return createOpenAiProvider({
    baseUrl,
    idleTimeoutMs: 200_000,
    answerTimeoutMs: 200_000,
    connectTimeoutMs: 200_000,
    connectionsMax: 16,
    ...more,
  });
}

/** A chat request that scripts the upstream. */
export function chat(script: Script = {}, more: Json = {}): Json {
  return { model: 'm', messages: [{ role: 'user', content: JSON.stringify({ scripted: script }) }], ...more };
}

/** Reads a scripted stream to its end or failure. */
export async function readAll(provider: OpenAiProvider, script: Script) {
  const items: Json[] = [];
  try {
    const stream = await provider.stream('chat/completions', chat(script, usageAsked), never);
    for await (const some of stream) items.push(...some);
  } catch (failure) {
    return { items, failure };
  }
  return { items, failure: undefined };
}

/** The texts in the chunks of a chat. */
export function textOf(items: Json[]): string {
  const choices = items.flatMap((item) => item.choices as { delta: { content?: string } }[]);
  return choices.map(({ delta }) => delta.content ?? '').join('');
}

/** A separate server for a test; `use` gets a provider for it. */
export async function withServer(
  listener: RequestListener,
  use: (own: OpenAiProvider) => Promise<void>,
  more: Partial<UpstreamOptions> = {},
): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const own = providerAt(`http://127.0.0.1:${port}/some/prefix/v1/`, { apiKey: 'sk-up', ...more });
  try {
    await use(own);
  } finally {
    await own.close();
    server.close();
    server.closeAllConnections();
  }
}
