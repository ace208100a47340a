// Runs `npm test`, then the drills listed in .ci/drills, together. A file that fails runs once more, alone, when everything else has
// ended: if it passes then, its second result counts, and it is printed as flaky. Nothing else is repeated. A run that reaches its limit
// is killed: what ended before counts, and each file that was running is a failure, as is the run. The last lines say which tests were
// skipped and what they need, which files are flaky and why they had failed, and the sum.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '..');
const results = join(root, '.data/test-results');
const failedChecks = Number(process.argv[2] ?? 0);
const drills = readFileSync(join(root, '.ci/drills'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'));
// Room for a machine half as fast: elsewhere the whole ends within half an hour. More failures than these are no flakes.
const TESTS_LIMIT_MS = 22 * 60_000;
const DRILLS_LIMIT_MS = 20 * 60_000;
const FILE_LIMIT_MS = 5 * 60_000;
const endsAtMs = performance.now() + 45 * 60_000;
const REPEATED_FILES_MAX = 8;
const REASON_CHARACTERS_MAX = 2_000;
// Of the repetitions of a drill: with a fixed seed more of them find nothing new.
const DRILL_SHARE = '0.3';

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const files = [
  ...(await runJest('npm test', ['test', '--'], { isShown: true, limitMs: TESTS_LIMIT_MS })),
  ...(await runJest('drills', ['run', 'test:long', '--', ...drills, '--maxWorkers=3'], {
    isShown: true,
    limitMs: DRILLS_LIMIT_MS,
  })),
];
// Jest runs what it finds: a drill that was renamed would be left out in silence.
files.push(...drills.filter((path) => !files.some((file) => file.path === path)).map(failureOf));
const flaky = await repeatFailed();

printSkipped();
for (const { reason } of flaky) print(reason);
for (const { path } of flaky) print(`flaky: ${path}`);
const count = (status) => files.reduce((sum, file) => sum + file[status], 0);
const failed = failedChecks + count('failed');
print(`${count('passed')} passed, ${failed} failed${count('skipped') ? `, ${count('skipped')} skipped` : ''}`);
process.exit(failed ? 1 : 0);

/** Runs each file that failed once more, alone, and returns those that passed then: their second result replaces the first. */
async function repeatFailed() {
  const failed = files.filter((file) => file.failed > 0 && file.path.endsWith('.ts'));
  if (failed.length > REPEATED_FILES_MAX) return [];
  const flaky = [];
  for (const file of failed) {
    print(`once more, alone: ${file.path}`);
    const [again] = await runFile(file.path);
    if (again?.path !== file.path || again.failed > 0) continue;
    flaky.push({ path: file.path, reason: file.reason });
    Object.assign(file, again);
  }
  return flaky;
}

function runFile(path) {
  const script = path.endsWith('.drill.test.ts') ? ['run', 'test:long'] : ['test'];
  return runJest(path, [...script, '--', path, '--maxWorkers=1'], { limitMs: FILE_LIMIT_MS });
}

/** Runs Jest and reads what it reports about each file. Without a report, what it had begun by its end. */
async function runJest(name, args, { isShown = false, limitMs }) {
  const report = join(results, `${name.replaceAll('/', '-')}.json`);
  const progress = join(results, `${name.replaceAll('/', '-')}.progress`);
  for (const file of [report, progress]) rmSync(file, { force: true });
  const reporters = ['--reporters=default', `--reporters=${join(import.meta.dirname, 'progress.cjs')}`];
  const child = spawn('npm', ['--silent', ...args, ...reporters, '--json', `--outputFile=${report}`], {
    cwd: root,
    detached: true,
    env: { ...process.env, DRILL_SHARE, TEST_PROGRESS_FILE: progress },
  });
  const kept = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => (isShown ? process.stdout.write(bytes) : kept.push(bytes)));
  // The whole group: npm does not pass SIGKILL on.
  const leftMs = Math.max(0, Math.min(limitMs, endsAtMs - performance.now()));
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), leftMs);
  await once(child, 'exit');
  clearTimeout(timer);
  if (!isShown) print(Buffer.concat(kept).toString());
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults.map(fileResult);
  } catch {
    print(`no result of ${name}`);
    return readProgress(name, progress);
  }
}

/** The files that ended before Jest did, and the others as failures: each that was running, and the whole once if it lacks any. */
function readProgress(name, file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse) : [];
  const ended = lines.filter((line) => line.name).map(fileResult);
  const paths = new Set(ended.map(({ path }) => path));
  const running = lines.flatMap(({ started }) => started ?? []).map((path) => relative(root, path));
  const cut = running.filter((path) => !paths.has(path));
  const { files: count = 0 } = lines[0] ?? {};
  print(`it had ended ${ended.length} of ${count} files`);
  for (const { path, failed } of ended) if (failed > 0) print(`failed: ${path}`);
  for (const path of cut) print(`still running: ${path}`);
  return [...ended, ...[...cut, name].map(failureOf)];
}

function failureOf(path) {
  return { path, passed: 0, failed: 1, skipped: 0, needs: [], reason: `${path} was still running` };
}

function fileResult({ name, status, message = '', assertionResults }) {
  const having = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status));
  const failed = having('failed').length;
  const skipped = having('pending', 'todo', 'disabled');
  return {
    path: relative(root, name),
    passed: having('passed').length,
    // A file that does not load has no tests.
    failed: failed === 0 && status === 'failed' ? 1 : failed,
    skipped: skipped.length,
    needs: skipped.map(({ fullName }) => /\((needs [^()]*)\)/.exec(fullName)?.[1] ?? 'without a reason'),
    reason: stripVTControlCharacters(message).trim().slice(0, REASON_CHARACTERS_MAX),
  };
}

function printSkipped() {
  for (const { path, needs } of files)
    for (const need of new Set(needs))
      print(`skipped: ${needs.filter((other) => other === need).length} of ${path}: ${need}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
