import { Command } from 'commander';
import { type AgentInput, type Ledgerline, NotFoundError, type Run } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { checkFile, uploadFile } from '../files/uploadFile.ts';
import { saveFile } from '../files/saveFile.ts';
import { append, appendPair, parseCount, parseUsd } from '../options.ts';
import { print, say, wantsJson, withExamples } from '../output.ts';
import { checkOutcome, followRun } from '../runs/followRun.ts';
import { inputOf, type InputOptions } from '../runs/runInput.ts';
import { startOrCancel } from '../runs/startOrCancel.ts';
import { err } from '../terminal/colors.ts';

interface Options extends InputOptions {
  file?: string[];
  session?: string;
  maxCostUsd?: number;
  timeout?: number;
  metadata?: Record<string, string>;
  private?: boolean;
  idempotencyKey?: string;
  detach?: boolean;
  out?: string;
}

const command = new Command('run')
  .description('run an agent: its answer on stdout, its steps and its cost beside it')
  .argument('<agent>', 'acme/poet, or a channel or version of it: acme/poet@beta')
  .argument('[input...]', 'a text; stdin when left out or `-`')
  .option('--file <path>', 'a file beside the input, or the id of an uploaded one; can be repeated', append)
  .option('--data <json>', 'the data of a typed agent; @path reads a file')
  .option('--input-file <path>', 'read the text from a file')
  .option('--session <id>', 'go on in a session')
  .option('--max-cost-usd <usd>', 'the most that it may cost', parseUsd)
  .option('--timeout <seconds>', 'the longest that it may take', parseCount)
  .option('--metadata <name=value>', 'a note to find it by; can be repeated', appendPair)
  .option('--private', 'the private version of an agent of this workspace, although one is public')
  .option('--idempotency-key <key>', 'for a day the same order with it finds the same run')
  .option('--detach', 'start it, print its id, and leave')
  .option('--out <folder>', 'save its files there')
  .action(async (agent: string, words: string[], options: Options, self: Command) => {
    const client = await clientOf(self);
    const input = await inputOf(words, options, (options.file ?? []).length > 0);
    const started = await startOrCancel(client, (signal) => start(client, agent, input, { ...options, signal }));
    if (options.detach) return print(wantsJson(self) ? JSON.stringify(started) : started.id);
    const run = await followRun(self, client, started.id, { cancels: true });
    if (options.out) await saveOutputs(client, run, options.out);
    checkOutcome(run);
  });

export const run = withExamples(command, [
  ['ledgerline run ledgerline/writer "A haiku about rain."'],
  ['ledgerline run ledgerline/analyst "Chart the sales by month." --file sales.xlsx --out results'],
  ['ledgerline run acme/forecaster --data \'{"city": "Rome"}\' --max-cost-usd 0.05', 'a typed agent'],
  ['git diff | ledgerline run acme/reviewer --json | jq -c .type', 'events as JSON lines'],
]);

interface Order extends Options {
  signal: AbortSignal;
}

/** The ids of files, uploaded ones and those of this machine. */
async function uploadAll(client: Ledgerline, files: string[], signal: AbortSignal): Promise<string[]> {
  for (const path of files) if (!isFileId(path)) await checkFile(path);
  const ids: string[] = [];
  for (const path of files) ids.push(isFileId(path) ? path : (await uploadFile(client, path, { signal })).id);
  signal.throwIfAborted();
  return ids;
}

async function start(client: Ledgerline, agent: string, input: AgentInput, options: Order): Promise<Run> {
  const { idempotencyKey, signal } = options;
  const files = await uploadAll(client, options.file ?? [], signal);
  const place = (isPrivate: boolean, key = idempotencyKey) =>
    client.agents.start(agent, input, {
      files,
      signal,
      session: options.session,
      maxCostUsd: options.maxCostUsd,
      metadata: options.metadata,
      idempotencyKey: key,
      order: {
        ...(isPrivate && { visibility: 'private' as const }),
        ...(options.timeout !== undefined && { timeout_seconds: options.timeout }),
      },
    });
  if (options.private) return place(true);
  // An agent that is not public may be one of this workspace alone.
  return place(false).catch((error: unknown) => {
    if (!isUnknownAgent(error)) throw error;
    // A key stands for one order, and this is another one than the first.
    return place(true, idempotencyKey && `${idempotencyKey} private`).catch((again: unknown) => {
      throw isUnknownAgent(again) ? error : again;
    });
  });
}

const isUnknownAgent = (error: unknown): boolean => error instanceof NotFoundError && error.code === 'agent_not_found';

const isFileId = (path: string): boolean => /^file_[0-9A-Za-z]{10,}$/.test(path);

async function saveOutputs(client: Ledgerline, { output }: Run, folder: string): Promise<void> {
  for (const item of output)
    if (item.type === 'output_file') {
      const path = await saveFile(client, item.file_id, { folder });
      say(`${err.green('saved')} ${path}`);
    }
}
