import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type Language = 'typescript' | 'python';

/** A package as it is installed: its file, read and hashed once. */
export interface BuiltClient {
  language: Language;
  name: string;
  version: string;
  file: string;
  bytes: Buffer;
  sha256: string;
  /** As npm's lock files have it. */
  integrity: string;
}

// As npm and pip name them: the name of a package with a version.
const FILES: Record<Language, RegExp> = {
  typescript: /^(?<name>[a-z][\w-]*)-(?<version>\d[\w.+-]*)\.tgz$/,
  python: /^(?<name>[a-z]\w*)-(?<version>\d[\w.+]*)-py3-none-any\.whl$/,
};

/** The packages in the build's folder, one of each language; none of a language that is not built. Read anew when a build replaced it. */
export function readClients(folder: string): () => Promise<BuiltClient[]> {
  const known = new Map<Language, { mtimeMs: number; client: BuiltClient }>();

  return async () => {
    const clients = await Promise.all((Object.keys(FILES) as Language[]).map(latest));
    return clients.filter((client) => client !== undefined);
  };

  async function latest(language: Language): Promise<BuiltClient | undefined> {
    const within = join(folder, language);
    const found = await stat(within).catch(() => undefined);
    if (!found) return undefined;
    if (known.get(language)?.mtimeMs === found.mtimeMs) return known.get(language)!.client;
    const file = (await readdir(within)).find((name) => FILES[language].test(name));
    if (file === undefined) return undefined;
    const client = describe(language, file, await readFile(join(within, file)));
    known.set(language, { mtimeMs: found.mtimeMs, client });
    return client;
  }
}

function describe(language: Language, file: string, bytes: Buffer): BuiltClient {
  const { name, version } = FILES[language].exec(file)!.groups as { name: string; version: string };
  const sha256 = hash('sha256', bytes, 'hex');
  const integrity = `sha512-${hash('sha512', bytes, 'base64')}`;
  return { language, name, version, file, bytes, sha256, integrity };
}
