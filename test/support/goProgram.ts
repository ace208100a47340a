import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { alone } from '../../ops/stack/builds/buildOnce.ts';

/** The path of a Go program, which is built the first time. Of several test files that need it at once, one builds and the others wait. */
export async function goProgram(
  folder: string,
  { source, name, timeoutMs }: { source: string; name: string; timeoutMs?: number },
): Promise<string> {
  const program = join(folder, name);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await alone(folder, undefined, async () => {
    if (existsSync(program)) return;
    const draft = await mkdtemp(join(folder, 'draft-'));
    try {
      const env = { ...process.env, GOBIN: draft, GOFLAGS: '-mod=mod' };
      await promisify(execFile)('go', ['install', source], { env, timeout: timeoutMs });
      await rename(join(draft, name), program);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
  return program;
}
