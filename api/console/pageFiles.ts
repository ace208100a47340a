import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Context } from '../context.ts';

const ENDINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The files of a build by their paths in an address. Others of its folder are not sent. */
export interface PageFiles {
  folder: string;
  paths: ReadonlySet<string>;
}

/** Lists the files of a build's folder. */
export async function listPageFiles(folder: string): Promise<PageFiles> {
  const names = await readdir(folder, { recursive: true });
  return { folder, paths: new Set(names.map((name) => `/${name.replaceAll(sep, '/')}`)) };
}

/**
 * Answers with the file of the request's path, as small as the build compressed it for this client. Resolves with false if there is none:
 * also when it was there as the folder was listed, because a newer build has replaced it.
 */
export async function sendPageFile(ctx: Context, files: PageFiles, maxAge: string): Promise<boolean> {
  const type = extname(ctx.path);
  if (type === '' || !files.paths.has(ctx.path)) return false;
  const [encoding, ending] =
    ENDINGS.find(([name, end]) => files.paths.has(ctx.path + end) && ctx.acceptsEncodings(name)) ?? [];
  const bytes = await readFile(join(files.folder, ctx.path + (ending ?? ''))).catch(noneIfGone);
  if (!bytes) return false;
  ctx.type = type;
  ctx.vary('accept-encoding');
  if (encoding) ctx.set('content-encoding', encoding);
  ctx.set('cache-control', maxAge);
  ctx.body = bytes;
  return true;
}

function noneIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
