import OpenAI, { toFile } from 'openai';
import { setGuardStage } from './guardStage.ts';
import { startApiProcess, textModel, type ApiSetting } from './startApi.ts';
import { startWorkerProcess, type RunningWorker } from './startWorker.ts';
import { startTestTemporal } from './temporal.ts';
import { until } from './until.ts';

export type BatchStage = Awaited<ReturnType<typeof setBatchStage>>;
/** The members of an answer's body that tests read. */
interface AnswerBody {
  usage: Record<string, number>;
  error: { message: string; param: string | null; code: string };
  choices: { message: { content: string }; finish_reason: string }[];
}

/** A line of a file of results. */
export interface ResultLine {
  id: string;
  custom_id: string;
  response: { status_code: number; request_id: string; body: AnswerBody } | null;
  error: { code: string; message: string } | null;
}

const TERMINAL = ['completed', 'failed', 'expired', 'cancelled'];

/** A line of a batch: a chat with this text. */
export const chatLine = (customId: string, text: string, members: object = {}): object => ({
  custom_id: customId,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: textModel, messages: [{ role: 'user', content: text }], max_tokens: 64, ...members },
});

/** The same with a script for the model. */
export const scriptedLine = (customId: string, scripted: object): object =>
  chatLine(customId, JSON.stringify({ scripted }));

/** Lines that take half a second each. */
export const slowLines = (count: number): object[] =>
  Array.from({ length: count }, (_, nth) => scriptedLine(`slow-${nth}`, { text: 'Done.', headDelayMs: 500 }));

/** The API, a Temporal server, and worker processes, which run batches. `isApart`: the API is also a process. */
export async function setBatchStage({
  env = {},
  isApart = false,
}: { env?: Record<string, string>; isApart?: boolean } = {}) {
  const temporal = await startTestTemporal();
  const stage = await setGuardStage({
    env: { TEMPORAL_ADDRESS: temporal.address },
    ...(isApart && { start: startApiProcess }),
  });
  const workers = new Set<RunningWorker>();

  async function startWorker(
    more: Record<string, string> = {},
    catalog?: ApiSetting['catalog'],
  ): Promise<RunningWorker> {
    const setting = { ...stage.addresses, temporalAddress: temporal.address, catalog };
    const workerEnv = { MODEL_RETRY_DELAY_MAX_SECONDS: '0.1', ...env, ...more };
    const worker = await startWorkerProcess({ ...setting, env: workerEnv });
    workers.add(worker);
    return worker;
  }

  const clientOf = (secret: string) =>
    new OpenAI({ baseURL: `${stage.api.url}/textapi/v1`, apiKey: secret, maxRetries: 0 });

  async function upload(client: OpenAI, lines: (object | string)[]): Promise<string> {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const file = await toFile(Buffer.from(text), 'calls.jsonl');
    return (await client.files.create({ file, purpose: 'batch' })).id;
  }

  async function create(
    client: OpenAI,
    lines: (object | string)[],
    { endpoint = '/v1/chat/completions', ...more }: Partial<OpenAI.BatchCreateParams> = {},
  ): Promise<OpenAI.Batch> {
    const inputFileId = await upload(client, lines);
    return client.batches.create({ input_file_id: inputFileId, endpoint, completion_window: '24h', ...more });
  }

  async function ended(client: OpenAI, id: string): Promise<OpenAI.Batch> {
    let batch = await client.batches.retrieve(id);
    const isOver = async () => {
      batch = await client.batches.retrieve(id);
      return TERMINAL.includes(batch.status);
    };
    await until(isOver, { pollMs: 100, timeoutMs: 600_000 });
    return batch;
  }

  async function read(client: OpenAI, fileId: string | null | undefined): Promise<ResultLine[]> {
    if (!fileId) return [];
    const text = await (await client.files.content(fileId)).text();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
  }

  /** Kills a worker like an out-of-memory kill. */
  async function killWorker(worker: RunningWorker): Promise<void> {
    await worker.kill();
    await worker.stop();
    workers.delete(worker);
  }

  async function close(): Promise<void> {
    for (const worker of workers) await worker.stop();
    await stage.close();
    await temporal.stop();
  }

  return { ...stage, temporal, startWorker, killWorker, clientOf, upload, create, ended, read, close };
}
