import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestFolder = { path: string; remove(): Promise<void> };

/** An empty folder that other users may enter, which PostgreSQL needs when tests run as root. */
export async function makeFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'ledgerline-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
