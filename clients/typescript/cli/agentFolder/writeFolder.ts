import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../failure.ts';

/** Writes files into a folder, all or none: a file that exists is never replaced, unless `force` says so. */
export async function writeFolder(
  folder: string,
  files: Record<string, string | Uint8Array>,
  { force = false, hint }: { force?: boolean; hint: string },
): Promise<void> {
  for (const name of Object.keys(files))
    if (!force && (await exists(join(folder, name))))
      throw new Failure(`${join(folder, name)} exists: nothing was written.`, { hint });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, force ? {} : { flag: 'wx' });
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
