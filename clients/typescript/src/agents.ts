import type { Context } from './context.ts';
import { RunCancelledError, RunFailedError, RunLimitReachedError } from './errors.ts';
import type { Files, FileSource } from './files.ts';
import type { Runs, WaitOptions } from './runs.ts';
import type { OutputFile, Run, RunOrder } from './types.ts';

/** A text; the data of an agent with an `input_schema`; or the items of the API. */
export type AgentInput = RunOrder['input'] | { [name: string]: unknown };

export interface StartOptions {
  /** Files beside the input: ids of uploaded files, or files that are uploaded first. */
  files?: (string | FileSource)[];
  maxCostUsd?: number;
  /** The id of a session: the run knows the session's earlier turns and files. */
  session?: string;
  metadata?: Record<string, string>;
  /** A key of your own, such as the id of your order: for a day the same order with it finds the same run. */
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Any other member of the order, by the name that the API gives it. */
  order?: Partial<RunOrder>;
}

export interface RunOptions extends StartOptions, Omit<WaitOptions, 'signal'> {}

/** What a completed run gave. */
export interface RunResult<Data = unknown> {
  /** Its texts, with an empty line between them. */
  output: string;
  /** The data of an agent with an `output_schema`. */
  data: Data;
  files: OutputFile[];
  /** What it and the runs that it started have cost, in US dollars. */
  costUsd: number;
  run: Run;
}

interface Parts {
  files: Files;
  runs: Runs;
}

export class Agents {
  readonly #api: Context['api'];
  readonly #client: Parts;

  constructor({ api }: Context, client: Parts) {
    [this.#api, this.#client] = [api, client];
  }

  /** Starts a run and resolves with it at once: `runs.stream` and `runs.wait` follow it. */
  async start(agent: string, input: AgentInput, options: StartOptions = {}): Promise<Run> {
    const { files = [], maxCostUsd, session, metadata, idempotencyKey, signal, order } = options;
    signal?.throwIfAborted();
    const upload = async (file: string | FileSource) =>
      typeof file === 'string' ? file : (await this.#client.files.upload(file, { signal })).id;
    const items = inputOf(input, await Promise.all(files.map(upload)));
    signal?.throwIfAborted();
    const named = { max_cost_usd: maxCostUsd, session_id: session, metadata };
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    // Without the signal: the id of an order that may have arrived is needed to cancel it.
    return (await this.#api.POST('/v1/runs', { body: { agent, input: items, ...named, ...order }, headers })).data;
  }

  /**
   * Runs an agent to its end: `const { output } = await client.agents.run('acme/poet', 'Rain.')`. Throws `RunFailedError`,
   * `RunCancelledError`, `RunLimitReachedError`, or `RunRequiresActionError` if it asks and there is no `onAction`. When `signal` is
   * aborted the run is cancelled, unless `cancelOnAbort` is false.
   */
  async run<Data = unknown>(agent: string, input: AgentInput, options: RunOptions = {}): Promise<RunResult<Data>> {
    const { signal, cancelOnAbort = true, onAction, onEvent } = options;
    const started = await untilAborted(this.start(agent, input, options), signal, (run) => {
      if (cancelOnAbort) void this.#client.runs.cancel(run).catch(() => {});
    });
    return resultOf<Data>(await this.#client.runs.wait(started, { signal, cancelOnAbort, onAction, onEvent }));
  }
}

/** Waits no longer than the signal allows; `late` gets what comes afterwards. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, late: (result: T) => void) {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      work.then(late, () => {});
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

function inputOf(input: AgentInput, fileIds: string[]): RunOrder['input'] {
  const files = fileIds.map((file_id) => ({ type: 'input_file' as const, file_id }));
  if (typeof input === 'string') return files.length > 0 ? [{ type: 'input_text', text: input }, ...files] : input;
  return [...(Array.isArray(input) ? input : [{ type: 'input_data' as const, data: input }]), ...files];
}

/** What a run gave; throws if it did not complete. */
export function resultOf<Data = unknown>(run: Run): RunResult<Data> {
  if (run.status === 'failed') throw new RunFailedError(run);
  if (run.status === 'cancelled') throw new RunCancelledError(run);
  if (run.status === 'limit_reached') throw new RunLimitReachedError(run);
  const { output, usage } = run;
  return {
    output: output.flatMap((item) => (item.type === 'output_text' ? [item.text] : [])).join('\n\n'),
    data: output.findLast((item) => item.type === 'output_data')?.data as Data,
    files: output.filter((item) => item.type === 'output_file'),
    costUsd: usage.total_usd + usage.children_usd,
    run,
  };
}
