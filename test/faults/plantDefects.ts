import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Defect, Edit } from './defects.ts';
import { runTests } from './runTests.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Whether the tests found a planted defect, and by which test. */
export interface PlantedResult {
  defect: Defect;
  isFound: boolean;
  /** The first failed test, or why none failed. */
  by: string;
  seconds: number;
}

/** Plants a defect in a copy of the repository and runs the tests that must find it. */
export async function plantDefect(defect: Defect, seed: number): Promise<PlantedResult> {
  const copy = await copyRepository();
  try {
    for (const change of defect.edits) await applyEdit(copy, change);
    const { failed, broken, seconds } = await runTests(copy, defect.tests, seed);
    // A file that does not compile finds nothing.
    const isFound = failed.length > 0 && broken.length === 0;
    return { defect, isFound, by: failed[0] ?? broken[0] ?? 'no test failed', seconds };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function applyEdit(copy: string, { file, find, replace }: Edit): Promise<void> {
  const path = join(copy, file);
  await writeFile(path, editedText(await readFile(path, 'utf8'), { file, find, replace }));
}

/** The text after an edit. Throws unless `find` occurs exactly once. */
export function editedText(text: string, { file, find, replace }: Edit): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${file} contains ${count} times, not once: ${find}`);
  return text.replace(find, () => replace);
}

/** The current tracked and new files; packages are linked. Beside the repository's data, so that links stay on one file system. */
async function copyRepository(): Promise<string> {
  await mkdir(join(root, '.data'), { recursive: true });
  const copy = await mkdtemp(join(root, '.data/planted-'));
  // PostgreSQL may run as another user.
  await chmod(copy, 0o755);
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1e8,
  });
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  for (const folder of ['node_modules', 'console/node_modules', 'console/dist', '.data/bin', '.data/models'])
    await link(join(root, folder), join(copy, folder));
  return copy;
}

// Hard links: Node resolves symbolic links to the original's path, where imports of the product would be the original's.
async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await run('cp', ['-al', from, to]).catch(() => undefined);
}
