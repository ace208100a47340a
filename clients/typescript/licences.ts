import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The licences of the packages that these files belong to, as one text: they must go with what is made of them. */
export async function licencesOf(files: readonly string[], folder: string): Promise<string> {
  const packages = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  const texts = [...packages].toSorted().map((path) => licenceOf(join(folder, path)));
  return (await Promise.all(texts)).join('\n\n');
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = (await readdir(folder)).find((entry) => /^licen[sc]e/i.test(entry));
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  return `${name} ${version}: ${license ?? 'see below'}${text}`;
}
