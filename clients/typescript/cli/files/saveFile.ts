import { createWriteStream } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ledgerline } from '../../src/index.ts';
import { bytes } from '../format.ts';
import { statusLine } from '../terminal/statusLine.ts';

interface Place {
  /** A path, which is replaced; without it the file's own name in `folder`, which replaces nothing. */
  path?: string | undefined;
  folder?: string | undefined;
}

/** Downloads a file. It appears whole or not at all. Resolves with its path. */
export async function saveFile(client: Ledgerline, fileId: string, { path, folder = '.' }: Place): Promise<string> {
  const status = statusLine();
  const download = await client.files.download(fileId, {
    onProgress: ({ doneBytes, totalBytes }) =>
      status.progress(`downloading ${download.filename}`, doneBytes, totalBytes, bytes(totalBytes)),
  });
  const wanted = path ?? join(folder, safeName(download.filename));
  await mkdir(dirname(wanted), { recursive: true });
  const partial = `${wanted}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(download), createWriteStream(partial));
    if (path === undefined) return await placeBeside(partial, wanted);
    await rename(partial, path);
    return path;
  } finally {
    status.clear();
    await rm(partial, { force: true });
  }
}

/** A name without folders: a server must not choose where it is written. Nor is it a file that programs read unasked, such as `.npmrc`. */
export function safeName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/'))
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/^[.\s]+/, '');
  return plain.replaceAll('.', '') === '' ? 'file' : plain;
}

/** Gives a file its name, or the next free one: `chart.png`, `chart (2).png`. */
async function placeBeside(partial: string, wanted: string): Promise<string> {
  const end = extname(wanted);
  const start = wanted.slice(0, wanted.length - end.length);
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? wanted : `${start} (${number})${end}`;
    try {
      await link(partial, path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
