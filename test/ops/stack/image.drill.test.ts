import { afterAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../support/folder.ts';
import { readText } from '../../support/sources.ts';

// The Dockerfile's handling of packages, on this machine: no daemon is needed.
const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const inImage = (command: string, args: string[], env: Record<string, string> = {}) =>
  run(command, args, { cwd: folder.path, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } });

const folder = await makeFolder();
const copied = [...readText('Dockerfile').matchAll(/^COPY ((?:[\w./-]+ )+)([\w./-]+)$/gm)];
expect(copied.length).toBeGreaterThan(15);
// The sources of the pages and of the clients are in stages of their own.
const paths = copied
  .flatMap(([, from]) => from!.trim().split(' '))
  .filter((path) => !/^(console$|clients\/)/.test(path));
for (const path of paths) await cp(join(root, path), join(folder.path, path), { recursive: true });
await inImage('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund']);
afterAll(() => folder.remove());

test('the slimmed packages have at most 319 MB, and every program loads with them', async () => {
  await inImage('node', ['ops/deploy/image/bundleWorkflows.mjs']);
  await inImage('node', ['ops/deploy/image/slimPackages.mjs', 'node_modules']);
  // Debian has 75 MB, Python with pip 57, Node 109, our own files and their compiled code 40: with 319 that is 600.
  expect((await bytesOf(join(folder.path, 'node_modules'))) / 1e6).toBeLessThan(319);
  const programs = [
    'api/serve.ts',
    'worker/worker.ts',
    'engines/server.ts',
    'ops/admin/run.ts',
    'providers/payments/stripe.ts',
  ];
  for (const program of programs) await load(program);
  await expectCompiled();
  const readBundle =
    "const { readWorkflowBundle } = await import('./worker/workflowBundle.ts'); console.log((await readWorkflowBundle()).code.length); process.exit(0)";
  // The compiler is gone: the worker reads the bundle.
  const { stdout } = await inImage('node', ['--input-type=module', '-e', readBundle]);
  expect(Number(stdout)).toBeGreaterThan(100_000);
});

test('without the engines and FFmpeg they have at most 90 MB, and every program but theirs loads', async () => {
  await inImage('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--workspaces=false']);
  await inImage('node', ['ops/deploy/image/slimPackages.mjs', 'node_modules', '--without-ffmpeg']);
  await rm(join(folder.path, 'engines'), { recursive: true });
  expect((await bytesOf(join(folder.path, 'node_modules'))) / 1e6).toBeLessThan(90);
  const { stdout: bill } = await inImage('node', ['ops/deploy/sbom.mjs', '--installed']);
  expect(bill).toContain('pkg:npm/koa@');
  expect(bill).not.toMatch(/node-av|FDK-AAC|pkg:npm\/webpack@/);
  for (const program of ['api/serve.ts', 'worker/worker.ts', 'ops/admin/run.ts', 'rules/rulesThread.ts'])
    await load(program);
  await expectCompiled();
});

const load = (program: string) =>
  inImage('node', ['--input-type=module', '-e', `await import('./${program}'); process.exit(0)`]);

/** Fills the compile cache, and starts a program with it, which finds no settings and ends. */
async function expectCompiled(): Promise<void> {
  const cache = { NODE_COMPILE_CACHE: join(folder.path, 'compile-cache') };
  const { stdout, stderr } = await inImage('node', ['ops/deploy/image/fillCompileCache.mjs'], cache);
  expect(`${stdout}${stderr}`).toMatch(/^0 of \d{2,} lazy modules were not loaded$/m);
  const started = inImage('node', ['api/main.ts'], { ...cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE', DATABASE_URL: '' });
  const { stderr: lines } = (await started.catch((error: unknown) => error)) as { stderr: string };
  expect(lines).toMatch(/retrieving transpile cache for StrippedTypeScript \S+api\/main\.ts\.\.\.success/);
  expect(lines).not.toContain('writing cache');
}

async function bytesOf(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
