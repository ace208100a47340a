import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildClients } from '../../../ops/stack/builds/clients.ts';

/** Builds the packages of this checkout, as `npm start` does, unless they are up to date. */
export const buildForTests = (): Promise<boolean> =>
  buildClients({ projectDir: join(import.meta.dirname, '../../..'), env: process.env, onProgress: () => {} });

const packed = join(import.meta.dirname, '../../../clients/dist');

/** The built package for npm, as a file. */
export const packedClient = async (): Promise<string> => join(packed, 'typescript', await fileIn('typescript', '.tgz'));

/** The wheel, as a file. */
export const packedWheel = async (): Promise<string> => join(packed, 'python', await fileIn('python', '.whl'));

async function fileIn(language: string, ending: string): Promise<string> {
  return (await readdir(join(packed, language))).find((name) => name.endsWith(ending))!;
}
