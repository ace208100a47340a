import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The results of a Jest run. */
export interface TestRun {
  passed: number;
  skipped: number;
  seconds: number;
  /** Names of the tests that failed. */
  failed: string[];
  /** What each of them said, in their order. */
  messages: string[];
  /** Why files did not run at all, for example because they do not compile. */
  broken: string[];
}

interface JestReport {
  numPassedTests: number;
  numPendingTests: number;
  testResults: { message: string; assertionResults: Assertion[] }[];
}

interface Assertion {
  status: string;
  fullName: string;
  failureMessages: string[];
}

/** Runs test files of a copy of the repository, one after another, and reads Jest's report. `seed` repeats the tests' random choices. */
export async function runTests(root: string, paths: string[], seed: number): Promise<TestRun> {
  const report = join(root, `.data/fault-report-${process.pid}.json`);
  const startedAtMs = performance.now();
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--testMatch', '**/*.test.ts', '--maxWorkers=1', '--silent', '--json', `--outputFile=${report}`];
  const env = { ...process.env, FLOW_SEED: String(seed) };
  const child = spawn(process.execPath, [...options, jest, ...flags, ...paths], { cwd: root, env, stdio: 'ignore' });
  await once(child, 'exit');
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  try {
    return { ...found(JSON.parse(await readFile(report, 'utf8')) as JestReport), seconds };
  } catch (error) {
    return { passed: 0, skipped: 0, seconds, failed: [], messages: [], broken: [`no report: ${String(error)}`] };
  } finally {
    await rm(report, { force: true });
  }
}

function found({ numPassedTests, numPendingTests, testResults }: JestReport): Omit<TestRun, 'seconds'> {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const broken = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  return {
    passed: numPassedTests,
    skipped: numPendingTests,
    failed: failed.map(({ fullName }) => fullName),
    messages: failed.map(({ failureMessages }) => failureMessages.join('\n')),
    broken: broken.map(({ message }) => message.split('\n')[0]!),
  };
}
