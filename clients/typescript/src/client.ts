import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.ts';
import { errorOf } from './errors.ts';
import { createFetch } from './http.ts';

export interface LedgerlineOptions {
  /** A key of a workspace; `LEDGERLINE_API_KEY` otherwise. */
  apiKey?: string;
  /** The origin of an installation; `LEDGERLINE_BASE_URL`, or this machine, otherwise. */
  baseUrl?: string;
  /** How often a request is repeated that may be repeated: 2. */
  maxRetries?: number;
  /** How long the first byte of an answer may take: 10 minutes. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

const LOCAL = 'http://127.0.0.1:4000';

/** The client of an installation of Ledgerline. Every call throws an `APIError` for an answer that is not a success. */
export class Ledgerline {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Every route, typed by the document of the API: `client.api.GET('/v1/runs/{run_id}', { params: { path: { run_id } } })`. */
  readonly api: Client<paths>;

  constructor(options: LedgerlineOptions = {}) {
    this.baseUrl = (options.baseUrl ?? environment('LEDGERLINE_BASE_URL') ?? LOCAL).replace(/\/+$/, '');
    this.apiKey = options.apiKey ?? environment('LEDGERLINE_API_KEY');
    const { maxRetries = 2, timeoutMs = 600_000, fetch = globalThis.fetch } = options;
    this.api = createClient<paths>({
      baseUrl: this.baseUrl,
      fetch: createFetch({ apiKey: this.apiKey, maxRetries, timeoutMs, fetch }),
    });
    this.api.use({ onResponse: ({ response }) => throwRefusal(response) });
  }
}

async function throwRefusal(response: Response): Promise<undefined> {
  if (response.ok || response.status === 304) return;
  const text = await response.text();
  throw errorOf(response, parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
