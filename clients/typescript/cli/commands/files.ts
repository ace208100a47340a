import { Command } from 'commander';
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import type { Schemas, UploadOptions } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { checkFile, uploadFile } from '../files/uploadFile.ts';
import { saveFile } from '../files/saveFile.ts';
import { briefTime, bytes, time } from '../format.ts';
import { parseCount, parseSpanSeconds } from '../options.ts';
import { print, printResult, wantsJson, withExamples } from '../output.ts';
import { tableOf } from '../terminal/table.ts';

type File = Schemas['File'];

const list = new Command('list')
  .description('the uploaded files')
  .option('--purpose <purpose>', 'agent_input, batch, batch_output or user_data')
  .option('--limit <count>', 'at most so many', parseCount, 100)
  .action(async ({ purpose, limit }: { purpose?: string; limit: number }, self: Command) => {
    const client = await clientOf(self);
    const found: File[] = [];
    const query = { purpose, limit: Math.min(limit, 100) };
    for await (const file of client.pages('/v1/files', { query })) if (found.push(file) === limit) break;
    printResult(self, found, filesText);
  });

interface Uploading {
  purpose?: UploadOptions['purpose'];
  expires?: number;
}

const upload = new Command('upload')
  .description('upload files; prints their ids')
  .argument('<path...>')
  .option('--purpose <purpose>', 'agent_input, batch or user_data', 'agent_input')
  .option('--expires <span>', 'delete them after a span such as 7d', parseSpanSeconds)
  .action(async (paths: string[], { purpose, expires }: Uploading, self: Command) => {
    const client = await clientOf(self);
    for (const path of paths) await checkFile(path);
    for (const path of paths) {
      const file = await uploadFile(client, path, { purpose, expiresAfterSeconds: expires });
      print(wantsJson(self) ? JSON.stringify(file) : file.id);
    }
  });

const download = new Command('download')
  .description('download files; prints where they are')
  .argument('<id...>', 'file_…')
  .option('-o, --out <path>', 'a folder, or the path of one file; `-` is stdout', '.')
  .action(async (ids: string[], { out }: { out: string }, self: Command) => {
    const client = await clientOf(self);
    for (const id of ids) {
      if (out === '-') for await (const part of await client.files.download(id)) process.stdout.write(part);
      else
        print(
          await saveFile(client, id, ids.length > 1 || (await isFolder(out)) ? { folder: out } : { path: join(out) }),
        );
    }
  });

const remove = new Command('delete')
  .description('delete files')
  .argument('<id...>', 'file_…')
  .action(async (ids: string[], _options, self: Command) => {
    const client = await clientOf(self);
    for (const id of ids) {
      const { data } = await client.api.DELETE('/v1/files/{file_id}', { params: { path: { file_id: id } } });
      printResult(self, data, () => `Deleted ${id}.`);
    }
  });

export const files = new Command('files')
  .description('list, upload, download and delete files')
  .addCommand(list)
  .addCommand(
    withExamples(upload, [
      ['ledgerline files upload sales.xlsx notes.pdf --expires 7d'],
      ['ledgerline run ledgerline/analyst "Chart it." --file $(ledgerline files upload sales.xlsx)'],
    ]),
  )
  .addCommand(
    withExamples(download, [
      ['ledgerline files download file_… --out results/'],
      ['ledgerline files download file_… --out - | head', 'to stdout'],
    ]),
  )
  .addCommand(remove);

async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith('/')) return true;
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

const sizeOf = (file: File): number => ('bytes' in file ? file.bytes : file.size_bytes);

function filesText(found: File[]): string {
  if (found.length === 0) return 'There are no files.';
  return tableOf(
    [
      { title: 'id', text: ({ id }) => id },
      { title: 'name', shrinks: true, text: ({ filename }) => filename },
      { title: 'purpose', optional: true, text: ({ purpose }) => purpose },
      { title: 'size', align: 'right', text: (file) => bytes(sizeOf(file)) },
      {
        title: 'uploaded',
        text: ({ created_at }) => time(created_at),
        brief: ({ created_at }) => briefTime(created_at),
      },
      {
        title: 'expires',
        optional: true,
        text: ({ expires_at }) => time(expires_at),
        brief: ({ expires_at }) => briefTime(expires_at),
      },
    ],
    found,
  );
}
