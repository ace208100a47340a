import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../providers/provider.ts';

/** The behaviour of the upstream's files and batches. Empty: each line is answered as a separate call. */
export interface BatchScript {
  /** Refused with this status: uploads, or the creation of batches. */
  refuseFiles?: number;
  refuseBatches?: number;
  /** The first creation's socket breaks after the batch was created. */
  losesCreation?: boolean;
  /** Creations are carried out and never answered. */
  answersNoCreation?: boolean;
  /** The file is not valid. */
  fails?: boolean;
  /** Its time is over after so many lines. */
  expiresAfter?: number;
  /** After so many lines it only waits to be cancelled. */
  stopsAfter?: number;
}

/** A batch as the upstream shows it. */
export interface ScriptedBatch {
  id: string;
  status: string;
  endpoint: string;
  input_file_id: string;
  output_file_id: string | null;
  error_file_id: string | null;
  metadata: Json | null;
}

interface Line {
  custom_id: string;
  url: string;
  body: Json;
}

/** OpenAI's files and batches, as far as a batch client needs them. Lines are calls to the upstream itself, with the header `x-batch`. */
export function createScriptedBatches(url: () => string) {
  const files = new Map<string, string>();
  const batches = new Map<string, ScriptedBatch>();
  /** What waits for the cancellation of a batch: a timer that asks for it would keep a process alive. */
  const onCancel = new Map<string, () => void>();
  let script: BatchScript = {};
  let count = 0;
  const newId = (kind: string) => `${kind}-${(count += 1)}`;

  /** Answers a request below `/v1`; false: its path is not of files or batches. */
  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [kind, id, action] = path.replace(/\?.*/, '').split('/');
    if (kind !== 'files' && kind !== 'batches') return false;
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    const found = kind === 'files' ? answerFile(request.method!, id, action, body) : answerBatch(id, action, body);
    if (found === 'unanswered') return true;
    if (found === undefined) return (response.destroy(), true);
    response.writeHead(found.status, { 'content-type': 'application/json' });
    response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body));
    return true;
  }

  function answerFile(method: string, id: string | undefined, action: string | undefined, body: Buffer) {
    if (id === undefined) {
      if (script.refuseFiles) return refused(script.refuseFiles);
      const fileId = newId('file');
      files.set(fileId, fileIn(body));
      return { status: 200, body: { id: fileId, object: 'file', purpose: 'batch' } };
    }
    const text = files.get(id);
    if (text === undefined) return refused(404);
    if (action === 'content') return { status: 200, body: text };
    if (method === 'DELETE') files.delete(id);
    return { status: 200, body: { id, object: 'file', deleted: true } };
  }

  function answerBatch(id: string | undefined, action: string | undefined, body: Buffer) {
    if (id === undefined && body.length === 0)
      return { status: 200, body: { object: 'list', data: [...batches.values()].toReversed(), has_more: false } };
    if (id === undefined) return create(JSON.parse(body.toString()) as Partial<ScriptedBatch>);
    const batch = batches.get(id);
    if (!batch) return refused(404);
    if (action === 'cancel' && batch.status === 'in_progress') {
      batch.status = 'cancelling';
      onCancel.get(batch.id)?.();
    }
    return { status: 200, body: batch };
  }

  function create({ endpoint = '', input_file_id: inputFileId = '', metadata = null }: Partial<ScriptedBatch>) {
    if (script.refuseBatches) return refused(script.refuseBatches);
    const made = { endpoint, input_file_id: inputFileId, metadata, output_file_id: null, error_file_id: null };
    const batch: ScriptedBatch = { id: newId('batch'), status: 'in_progress', ...made };
    batches.set(batch.id, batch);
    void run(batch, script);
    if (script.answersNoCreation) return 'unanswered' as const;
    if (!script.losesCreation) return { status: 200, body: batch };
    script = { ...script, losesCreation: false };
    return undefined;
  }

  async function run(batch: ScriptedBatch, { fails, expiresAfter, stopsAfter }: BatchScript): Promise<void> {
    if (fails) return void (batch.status = 'failed');
    const all = (files.get(batch.input_file_id) ?? '').split('\n').filter(Boolean);
    const lines = all.map((line) => JSON.parse(line) as Line).slice(0, expiresAfter ?? stopsAfter);
    const answers = await Promise.all(lines.map((line) => call(line, batch.id)));
    const isStopped = stopsAfter !== undefined;
    if (isStopped && batch.status !== 'cancelling')
      await new Promise<void>((resolve) => onCancel.set(batch.id, resolve));
    // An upstream guarantees no order.
    batch.output_file_id = store(answers.filter(({ response }) => response.status_code === 200).toReversed());
    batch.error_file_id = store(answers.filter(({ response }) => response.status_code !== 200));
    batch.status = isStopped ? 'cancelled' : expiresAfter === undefined ? 'completed' : 'expired';
  }

  function store(lines: object[]): string | null {
    if (lines.length === 0) return null;
    const id = newId('file');
    // Some vendors begin a file with a byte order mark.
    files.set(id, `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    return id;
  }

  async function call({ custom_id, url: path, body }: Line, batchId: string) {
    const headers = { 'content-type': 'application/json', 'x-batch': batchId };
    const answered = await fetch(url() + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const response = { status_code: answered.status, request_id: newId('req'), body: await answered.json() };
    return { id: newId('batch_req'), custom_id, response, error: null };
  }

  return {
    answer,
    all: (): ScriptedBatch[] => [...batches.values()],
    /** The files that were not deleted. */
    files: (): ReadonlyMap<string, string> => files,
    script: (next: BatchScript) => (script = next),
    reset: () => {
      files.clear();
      batches.clear();
      script = {};
    },
  };
}

const refused = (status: number) => ({
  status,
  body: { error: { message: `Scripted refusal ${status}.`, type: 'invalid_request_error', param: null, code: null } },
});

/** The file in a form of two parts. */
function fileIn(form: Buffer): string {
  const text = form.toString('utf8');
  const boundary = text.slice(0, text.indexOf('\r\n'));
  const part = text.split(boundary).find((one) => one.includes('name="file"'))!;
  return part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '');
}
