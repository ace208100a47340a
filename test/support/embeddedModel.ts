import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import OpenAI from 'openai';
import { fetchModel } from '../../engines/fetching/fetchModel.ts';

export const embeddedModelId = 'smollm2-135m-instruct';

export interface EmbeddedModel {
  client: OpenAI;
  /** The base address, ending in /v1. */
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the embedded model's process on a free port, with the installed model file unless `env` names another. */
export async function startEmbeddedModel(env: Record<string, string> = {}): Promise<EmbeddedModel> {
  if (!env.EMBEDDED_MODEL_FILE) await fetchModel({ dataDir: '.data', onProgress: () => {} });
  const child = spawn(process.execPath, ['engines/main.ts'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  const client = new OpenAI({ baseURL: url, apiKey: 'unused', maxRetries: 0 });
  return { client, url, child, stop: () => stop(child) };
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line) as { event: string; url?: string };
    if (event.event === 'listening' && event.url) {
      child.stdout!.resume();
      return event.url;
    }
  }
  throw new Error('The embedded model ended before it listened.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
