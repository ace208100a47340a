import { createApi, type Api } from './api.ts';
import { Agents } from './agents.ts';
import { Receipts, Statements } from './bills.ts';
import type { Context } from './context.ts';
import { LedgerlineError } from './errors.ts';
import { Files } from './files.ts';
import { createSend, NO_KEY } from './http.ts';
import { createPages, type Pages } from './pages.ts';
import { Runs } from './runs.ts';
import { createVendorFetch } from './vendorFetch.ts';
import { Webhooks } from './webhooks.ts';

export interface LedgerlineOptions {
  /** A key of a workspace; `LEDGERLINE_API_KEY` otherwise. */
  apiKey?: string;
  /** The origin of an installation; `LEDGERLINE_BASE_URL`, or this machine, otherwise. */
  baseUrl?: string;
  /** How often a request is repeated that may be repeated: 2. */
  maxRetries?: number;
  /** How long an answer may take; of a stream, its first byte: 10 minutes. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

const LOCAL = 'http://127.0.0.1:4000';
const OPTIONS: Record<keyof LedgerlineOptions, true> = {
  apiKey: true,
  baseUrl: true,
  maxRetries: true,
  timeoutMs: true,
  fetch: true,
};

/** The client of an installation of Ledgerline. Every call throws an `APIError` for an answer that is not a success. */
export class Ledgerline {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Every route, typed by the document of the API: `client.api.GET('/v1/runs/{run_id}', { params: { path: { run_id } } })`. */
  readonly api: Api;
  /** The entries of a list, page after page: `for await (const run of client.pages('/v1/runs'))`. */
  readonly pages: Pages;
  readonly agents: Agents;
  readonly runs: Runs;
  readonly files: Files;
  readonly webhooks = new Webhooks();
  readonly receipts = new Receipts();
  readonly statements = new Statements();
  readonly #vendorFetch: typeof globalThis.fetch;

  constructor(options: LedgerlineOptions = {}) {
    // Without types, one spelled as another client does would send the calls elsewhere, unnoticed.
    const unknown = Object.keys(options).find((name) => !Object.hasOwn(OPTIONS, name));
    if (unknown !== undefined)
      throw new LedgerlineError(`There is no option '${unknown}', but ${Object.keys(OPTIONS).join(', ')}.`);
    this.baseUrl = (options.baseUrl ?? environment('LEDGERLINE_BASE_URL') ?? LOCAL).replace(/\/+$/, '');
    this.apiKey = (options.apiKey ?? environment('LEDGERLINE_API_KEY'))?.trim();
    // The errors of `fetch` would show them.
    if (/^\w+:\/\/[^/?#]*@/.test(this.baseUrl))
      throw new LedgerlineError(
        'The address of the installation has a user or a password, which cannot be sent beside a key.',
      );
    if (this.apiKey && !/^[!-~]+$/.test(this.apiKey))
      throw new LedgerlineError('The key has characters that no key has, such as spaces or new lines.');
    const { maxRetries = 2, timeoutMs = 600_000, fetch = (...sent) => globalThis.fetch(...sent) } = options;
    const send = createSend({ baseUrl: this.baseUrl, apiKey: this.apiKey, maxRetries, timeoutMs, fetch });
    const context: Context = { baseUrl: this.baseUrl, send, api: createApi(this.baseUrl, send) };
    this.api = context.api;
    this.pages = createPages(context);
    this.runs = new Runs(context);
    this.files = new Files(context);
    this.agents = new Agents(context, this);
    this.#vendorFetch = createVendorFetch({ ...context, fetch });
  }

  /** OpenAI's client with this key: `client.openai(OpenAI)`, with the class of the package `openai`. Streams that are cut go on. */
  openai<Options, Client>(OpenAI: new (options: Options) => Client, options?: Partial<NoInfer<Options>>): Client {
    return new OpenAI({
      apiKey: this.#key(),
      baseURL: `${this.baseUrl}/v1`,
      fetch: this.#vendorFetch,
      ...options,
    } as Options);
  }

  /** ElevenLabs' client with this key: `client.elevenlabs(ElevenLabsClient)`, with the class of `@elevenlabs/elevenlabs-js`. */
  elevenlabs<Options, Client>(
    ElevenLabsClient: new (options: Options) => Client,
    options?: Partial<NoInfer<Options>>,
  ): Client {
    return new ElevenLabsClient({ apiKey: this.#key(), baseUrl: `${this.baseUrl}/voiceapi`, ...options } as Options);
  }

  #key(): string {
    if (this.apiKey) return this.apiKey;
    throw new LedgerlineError(NO_KEY);
  }
}

/** What a call cost, in US dollars; null for what costs nothing, and for streams, whose request knows it afterwards. */
export function costOf({ headers }: Response): number | null {
  const cost = headers.get('x-cost-usd');
  return cost === null ? null : Number(cost);
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
