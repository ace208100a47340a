import { request } from 'undici';
import { isObject } from '../base/json.ts';
import { faultOfTransport } from './openai/faults.ts';
import type { UpstreamAddress } from './upstreamOptions.ts';
import { capitalised } from '../base/sentences.ts';

/** What an upstream answered when it was asked for its models. */
export interface Probe {
  status: number | null;
  latencyMs: number;
  /** The models that it lists; null when it lists none in a known form. */
  models: string[] | null;
  error: string | null;
}

const LIMIT_MS = 5_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** Asks an upstream for its list of models, with its key: the cheapest call that needs both. Redirects are not followed. */
export async function probeUpstream({ protocol, baseUrl, apiKey, setup }: UpstreamAddress): Promise<Probe> {
  if (protocol === 'embedded') return { status: null, latencyMs: 0, models: null, error: null };
  if (!baseUrl) return { status: null, latencyMs: 0, models: null, error: setup ?? 'Its address is not set.' };
  const isElevenLabs = protocol === 'elevenlabs';
  const url = `${baseUrl.replace(/^ws/, 'http').replace(/\/+$/, '')}${isElevenLabs ? '/v1/models' : '/models'}`;
  const key = apiKey ? (isElevenLabs ? { 'xi-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }) : {};
  const begunAtMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - begunAtMs);
  const signal = AbortSignal.timeout(LIMIT_MS);
  let status: number | null = null;
  try {
    const answer = await request(url, { headers: { ...key, accept: 'application/json' }, signal });
    status = answer.statusCode;
    const text = await textOf(answer.body);
    if (status !== 200) return { status, latencyMs: latencyMs(), models: null, error: errorOf(status) };
    const models = modelsIn(text);
    const error = models ? null : 'It answered with something that is not a list of models.';
    return { status, latencyMs: latencyMs(), models, error };
  } catch (error) {
    return { status, latencyMs: latencyMs(), models: null, error: signal.aborted ? LATE : faultText(error) };
  }
}

const LATE = `It did not answer within ${LIMIT_MS / 1_000} seconds.`;

const faultText = (error: unknown): string => `${capitalised(faultOfTransport(error, false).message)}.`;

function errorOf(status: number): string {
  if (status === 401 || status === 403) return `It refuses the key (${status}).`;
  if (status >= 300 && status < 400) return `It redirects to another address (${status}), which is not followed.`;
  return `It answered ${status}.`;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The ids in OpenAI's list or in ElevenLabs'. */
function modelsIn(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const list = isObject(value) ? value.data : value;
    if (!Array.isArray(list)) return null;
    return list.flatMap((one: unknown) => {
      const id = isObject(one) ? (one.id ?? one.model_id) : undefined;
      return typeof id === 'string' ? [id] : [];
    });
  } catch {
    return null;
  }
}
