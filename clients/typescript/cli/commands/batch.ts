import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import type { Ledgerline, Schemas } from '../../src/index.ts';
import { checkBatch, countsText, hasEnded, waitForBatch } from '../batches/waitForBatch.ts';
import { clientOf } from '../credentials/connection.ts';
import { Failure, usageError } from '../failure.ts';
import { saveFile } from '../files/saveFile.ts';
import { uploadFile, checkFile } from '../files/uploadFile.ts';
import { briefTime, time } from '../format.ts';
import { appendPair, parseCount } from '../options.ts';
import { print, printResult, say, wantsJson, withExamples } from '../output.ts';
import { tableOf } from '../terminal/table.ts';

type Batch = Schemas['Batch'];

const submit = new Command('submit')
  .description('run the calls of a file of JSON lines, at the price of batches; prints its id')
  .argument('<file>', 'lines with custom_id, method, url and body')
  .option('--endpoint <path>', 'the route of every line; that of the first one when left out')
  .option('--metadata <name=value>', 'a note; can be repeated', appendPair)
  .option('--wait', 'wait for its end')
  .action(
    async (
      path: string,
      options: { endpoint?: string; metadata?: Record<string, string>; wait?: boolean },
      self: Command,
    ) => {
      const client = await clientOf(self);
      await checkFile(path);
      const endpoint = options.endpoint ?? (await endpointIn(path));
      const { id: input_file_id } = await uploadFile(client, path, { purpose: 'batch' });
      const { metadata } = options;
      const { data } = await client.api.POST('/v1/batches', {
        body: { input_file_id, endpoint, completion_window: '24h', ...(metadata && { metadata }) },
      });
      if (!options.wait) return printBatch(self, data);
      say(data.id);
      const ended = await waitForBatch(client, data.id);
      printBatch(self, ended);
      checkBatch(ended);
    },
  );

const wait = new Command('wait')
  .description('wait for the end of a batch')
  .argument('<id>', 'batch_…')
  .action(async (id: string, _options, self: Command) => {
    const ended = await waitForBatch(await clientOf(self), id);
    printBatch(self, ended);
    checkBatch(ended);
  });

const fetch = new Command('fetch')
  .description('the answers of a batch, in the order of its file')
  .argument('<id>', 'batch_…')
  .option('-o, --out <path>', 'a file; stdout when left out')
  .option('--errors', 'the lines that failed instead')
  .action(async (id: string, { out, errors }: { out?: string; errors?: boolean }, self: Command) => {
    const client = await clientOf(self);
    const { data: batch } = await client.api.GET('/v1/batches/{batch_id}', { params: { path: { batch_id: id } } });
    if (!hasEnded(batch))
      throw new Failure(`The batch is ${batch.status.replace('_', ' ')}: ${countsText(batch)}.`, {
        hint: `Wait for its end with \`ledgerline batch wait ${id}\`.`,
      });
    if (batch.request_counts.failed > 0 && !errors) say(`${batch.request_counts.failed} lines failed: see --errors.`);
    const fileId = errors ? batch.error_file_id : batch.output_file_id;
    if (fileId !== null) await writeLines(client, fileId, out);
    else say(errors ? 'No line failed.' : 'No line was answered.');
  });

const list = new Command('list')
  .description('the last batches')
  .option('--limit <count>', 'at most so many', parseCount, 20)
  .action(async ({ limit }: { limit: number }, self: Command) => {
    const client = await clientOf(self);
    const found: Batch[] = [];
    const query = { limit: Math.min(limit, 100) };
    for await (const batch of client.pages('/v1/batches', { query })) if (found.push(batch) === limit) break;
    printResult(self, found, batchesText);
  });

const cancel = new Command('cancel')
  .description('stop a batch; lines that run are finished and billed')
  .argument('<id>', 'batch_…')
  .action(async (id: string, _options, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.POST('/v1/batches/{batch_id}/cancel', { params: { path: { batch_id: id } } });
    printBatch(self, data);
  });

export const batch = new Command('batch')
  .description('submit, follow and fetch batches of calls')
  .addCommand(
    withExamples(submit, [
      ['ledgerline batch submit calls.jsonl --wait'],
      ['ledgerline batch fetch $(ledgerline batch submit calls.jsonl --wait) > answers.jsonl'],
    ]),
  )
  .addCommand(withExamples(wait, [['ledgerline batch wait batch_…']]))
  .addCommand(withExamples(fetch, [['ledgerline batch fetch batch_… --out answers.jsonl']]))
  .addCommand(list)
  .addCommand(cancel);

/** The id for programs, the rest beside it. */
function printBatch(self: Command, data: Batch): void {
  if (wantsJson(self)) return print(JSON.stringify(data, null, 2));
  say(`${data.status.replace('_', ' ')}, ${countsText(data)}`);
  print(data.id);
}

/** The route of the first line of a file. */
async function endpointIn(path: string): Promise<string> {
  const stream = createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      const { url } = JSON.parse(line) as { url?: unknown };
      if (typeof url === 'string') return url;
      break;
    }
  } catch (error) {
    throw usageError(`The first line of ${path} is not JSON: ${(error as Error).message}`);
  } finally {
    stream.destroy();
  }
  throw usageError(`The first line of ${path} names no url.`, 'Name the route of all lines with --endpoint.');
}

async function writeLines(client: Ledgerline, fileId: string, path: string | undefined): Promise<void> {
  if (path === undefined) {
    for await (const part of await client.files.download(fileId)) process.stdout.write(part);
    return;
  }
  print(await saveFile(client, fileId, { path }));
}

function batchesText(found: Batch[]): string {
  if (found.length === 0) return 'There are no batches.';
  return tableOf(
    [
      { title: 'id', text: ({ id }) => id },
      { title: 'when', text: ({ created_at }) => time(created_at), brief: ({ created_at }) => briefTime(created_at) },
      { title: 'endpoint', optional: true, text: ({ endpoint }) => endpoint },
      { title: 'status', text: ({ status }) => status.replace('_', ' ') },
      { title: 'lines', shrinks: true, text: countsText },
    ],
    found,
  );
}
