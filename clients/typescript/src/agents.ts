import type { Context, Ledgerline } from './client.ts';
import { RunCancelledError, RunFailedError, RunLimitReachedError } from './errors.ts';
import type { FileSource } from './files.ts';
import type { WaitOptions } from './runs.ts';
import type { OutputFile, Run, RunOrder } from './types.ts';

type Items = Exclude<RunOrder['input'], string>;
/** A text; the data of an agent with an `input_schema`; or the items of the API. */
export type AgentInput = string | Items | { [name: string]: unknown };

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
  /** What it cost, in US dollars. */
  costUsd: number;
  run: Run;
}

export interface Agents {
  /**
   * Runs an agent to its end: `const { output } = await client.agents.run('acme/poet', 'Rain.')`. Throws `RunFailedError`,
   * `RunCancelledError`, `RunLimitReachedError`, or `RunRequiresActionError` if it asks and there is no `onAction`. When `signal` is
   * aborted the run is cancelled, unless `cancelOnAbort` is false.
   */
  run<Data = unknown>(agent: string, input: AgentInput, options?: RunOptions): Promise<RunResult<Data>>;
  /** Starts a run and resolves with it at once: `runs.stream` and `runs.wait` follow it. */
  start(agent: string, input: AgentInput, options?: StartOptions): Promise<Run>;
}

export function createAgents({ api }: Context, { files, runs }: Pick<Ledgerline, 'files' | 'runs'>): Agents {
  async function start(agent: string, input: AgentInput, options: StartOptions = {}): Promise<Run> {
    const { maxCostUsd, session, metadata, idempotencyKey, signal, order } = options;
    signal?.throwIfAborted();
    const uploads = (options.files ?? []).map(async (file) =>
      typeof file === 'string' ? file : (await files.upload(file, { signal })).id,
    );
    const body: RunOrder = { agent, input: inputOf(input, await Promise.all(uploads)), ...order };
    if (maxCostUsd !== undefined) body.max_cost_usd = maxCostUsd;
    if (session !== undefined) body.session_id = session;
    if (metadata !== undefined) body.metadata = metadata;
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    signal?.throwIfAborted();
    // Without the signal: an order that may have arrived must be known by its id to be cancelled.
    return (await api.POST('/v1/runs', { body, headers })).data;
  }

  async function run<Data>(agent: string, input: AgentInput, options: RunOptions = {}): Promise<RunResult<Data>> {
    const { signal, cancelOnAbort = true, onAction, onEvent } = options;
    const ordered = start(agent, input, options);
    const started = await untilAborted(ordered, signal, ({ id }) => cancelOnAbort && runs.cancel(id));
    return resultOf<Data>(await runs.wait(started, { signal, cancelOnAbort, onAction, onEvent }));
  }

  return { start, run };
}

/** Does not wait longer for a started run than the signal allows; `late` gets it when it comes. */
async function untilAborted(ordered: Promise<Run>, signal: AbortSignal | undefined, late: (run: Run) => unknown) {
  if (!signal) return ordered;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([ordered, aborted]);
  } catch (error) {
    if (signal.aborted) void ordered.then(late).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
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
    data: output.flatMap((item) => (item.type === 'output_data' ? [item.data] : [])).at(-1) as Data,
    files: output.filter((item) => item.type === 'output_file'),
    costUsd: usage.total_usd,
    run,
  };
}
