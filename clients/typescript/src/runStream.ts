import type { Context } from './context.ts';
import { APIConnectionError, APIError } from './errors.ts';
import { eventsOf } from './eventStream.ts';
import { sleep } from './http.ts';
import type { OutputFile, Run, RunEvent } from './types.ts';

export interface StreamOptions {
  signal?: AbortSignal;
  /** Of the groups `steps`, `deltas`, `reasoning` and `cost` only these; everything when left out. */
  include?: ('steps' | 'deltas' | 'reasoning' | 'cost')[];
  /** The id of the last event that you have: the stream begins after it. */
  lastEventId?: string;
  /** A connection that stays silent for so long is lost. The service sends something every 10 seconds. */
  idleTimeoutMs?: number;
}

const FAILURES_MAX = 10;
const LAST_TYPES = new Set<string>(['run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

/** The events of a run, each once and in order, until its end. Also collects what they say, as far as they were read. */
export class RunStream implements AsyncIterable<RunEvent> {
  readonly runId: string;
  /** The texts so far, by item. A retried step's text replaces that of its attempt before. */
  readonly items = new Map<string, string>();
  /** The files so far. */
  readonly files: OutputFile[] = [];
  /** The cost so far, in US dollars; after the end with that of the runs that it started. */
  costUsd = 0;
  /** The id of the last event: `lastEventId` of a stream that goes on after it. */
  lastEventId: string | undefined;
  readonly #context: Context;
  readonly #options: StreamOptions;
  #final: Run | undefined;

  constructor(context: Context, runId: string, options: StreamOptions = {}) {
    [this.#context, this.runId, this.#options] = [context, runId, options];
    this.lastEventId = options.lastEventId;
  }

  /** The text so far. */
  get text(): string {
    return [...this.items.values()].join('\n\n');
  }

  /** Leaving the loop closes the connection, and does not stop the run. A later loop goes on after the last event. */
  [Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    return this.#follow();
  }

  /** Reads to the end. Resolves with the run, in whichever state it ended. */
  async finalRun(): Promise<Run> {
    for await (const _event of this);
    if (this.#final) return this.#final;
    const { data } = await this.#context.api.GET('/v1/runs/{run_id}', {
      params: { path: { run_id: this.runId } },
      signal: this.#options.signal,
    });
    return data;
  }

  async *#follow(): AsyncGenerator<RunEvent, void, undefined> {
    const { signal, idleTimeoutMs: idleMs } = this.#options;
    let cause: unknown;
    for (let failures = 0; failures < FAILURES_MAX && !this.#final; failures += 1) {
      if (failures > 0) await sleep(Math.min(10_000, 125 * 2 ** failures) * (0.75 + Math.random() / 4), signal);
      try {
        const response = await this.#connect();
        // The last event was already received.
        if (response.status === 204) return;
        for await (const { data } of eventsOf(response, { signal, idleMs })) {
          const event = JSON.parse(data) as RunEvent;
          [this.lastEventId, failures] = [event.id, 0];
          this.#take(event);
          yield event;
          if (this.#final) return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof APIError) throw error;
        cause = error;
      }
    }
    if (this.#final) return;
    throw new APIConnectionError(`The events of ${this.runId} were lost ${FAILURES_MAX} times in a row.`, { cause });
  }

  #connect(): Promise<Response> {
    const { include, signal } = this.#options;
    const query = include ? `?include=${include.join(',')}` : '';
    const url = `${this.#context.baseUrl}/v1/runs/${encodeURIComponent(this.runId)}/events${query}`;
    const headers = new Headers({ accept: 'text/event-stream' });
    if (this.lastEventId) headers.set('last-event-id', this.lastEventId);
    return this.#context.send(() => new Request(url, { headers, signal }));
  }

  #take({ type, data }: RunEvent): void {
    if (type === 'run.output_text.delta') {
      const { item_id, offset, delta } = data;
      this.#put(item_id, (this.items.get(item_id) ?? '').slice(0, offset) + delta);
    } else if (type === 'run.output_text.done') this.#put(data.item_id, data.text);
    else if (type === 'run.output_file.created') this.files.push(data);
    else if (type === 'run.usage.updated') this.costUsd = data.total_usd + (data.children_usd ?? 0);
    else if (LAST_TYPES.has(type)) {
      this.#final = data as Run;
      this.costUsd = this.#final.usage.total_usd + this.#final.usage.children_usd;
    }
  }

  #put(item: string, text: string): void {
    if (!this.items.has(item)) for (const one of this.items.keys()) if (isRetry(item, one)) this.items.delete(one);
    this.items.set(item, text);
  }
}

const withoutAttempt = (item: string): string => item.replace(/r[0-9a-z]{1,2}$/, '');

/** Whether an item is another attempt at the same text: attempts after the first have `r` and their number at the end of the id. */
const isRetry = (item: string, earlier: string): boolean =>
  item.startsWith(`${earlier}r`) ||
  (earlier !== withoutAttempt(earlier) && withoutAttempt(item) === withoutAttempt(earlier));
