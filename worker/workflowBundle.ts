import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleWorkflowCode, Runtime } from '@temporalio/worker';

const root = join(import.meta.dirname, '..');
const sources = join(root, 'workflows');
/** Evaluated once, not again for each workflow: no module of these keeps state of a workflow. */
const SHARED = ['index.ts', 'traces.ts'].map((name) => join(sources, name));

/**
 * The workflows as one script. Webpack needs three seconds of CPU time for it, so it is cached below `node_modules/.cache` under a hash of
 * its inputs: a restarted worker reads the file. A read-only folder only costs the three seconds.
 */
export async function readWorkflowBundle(): Promise<{ code: string }> {
  const path = join(root, 'node_modules', '.cache', 'ledgerline', `workflows-${hashOfSources()}.js`);
  try {
    return { code: readFileSync(path, 'utf8') };
  } catch {
    const { logger } = Runtime.instance();
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(sources, 'index.ts'),
      workflowInterceptorModules: [join(sources, 'traces.ts')],
      preloadModules: SHARED,
      logger,
    });
    keep(path, code);
    return { code };
  }
}

// package.json has the exact versions of the packages that the bundle includes.
function hashOfSources(): string {
  // The structure test allows no other import.
  const files = globSync(['workflows/**/*.ts', 'contracts/**/*.ts', 'base/limits.ts'], { cwd: root }).toSorted();
  const hash = createHash('sha256').update(readFileSync(join(root, 'package.json')));
  hash.update(`\0shared: ${SHARED.length}`);
  for (const name of files) hash.update(`\0${name}\0`).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 32);
}

function keep(path: string, code: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Written atomically, because another worker may be reading it.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, path);
  } catch {
    // Without the file, the next start bundles again.
  }
}
