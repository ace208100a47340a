// Adds up what Jest wrote about `npm test` and each long drill, says which drills had no time left, and prints the sum as the last line.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [results, failedChecks] = process.argv.slice(2);
const drills = globSync('test/**/*.drill.test.ts');
const notRun = existsSync(join(results, 'not-run'))
  ? readFileSync(join(results, 'not-run'), 'utf8').trim().split('\n').toSorted()
  : [];
const ran = ['tests', ...drills.filter((path) => !notRun.includes(path)).map((path) => path.replaceAll('/', '-'))];
const sum = { passed: 0, failed: Number(failedChecks), skipped: 0 };
for (const name of ran) {
  const result = resultOf(name);
  sum.passed += result.numPassedTests;
  sum.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  sum.skipped += result.numPendingTests;
}

if (notRun.length > 0)
  process.stdout.write(`no time left for ${notRun.length} of ${drills.length} drills: ${notRun.join(', ')}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}\n`);
process.exit(sum.failed ? 1 : 0);

/** A run that wrote no result counts as one failure. */
function resultOf(name) {
  const file = join(results, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  process.stdout.write(`no result of ${name}\n`);
  return { numPassedTests: 0, numFailedTests: 1, numRuntimeErrorTestSuites: 0, numPendingTests: 0 };
}
