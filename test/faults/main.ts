import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defects } from './defects.ts';
import { faults } from './faults.ts';
import { plantDefect, type PlantedResult } from './plantDefects.ts';
import { hasHeld, resultsPage, type Results } from './resultsPage.ts';
import { runTests } from './runTests.ts';

/**
 * `npm run faults -- [--only F1,F4] [--seed N] [--without-defects] [--write]`: injects every fault and checks what must hold, then plants
 * each defect and checks that the tests find it. Progress on standard error, the page of results on standard output; `--write` also puts it
 * into `docs/`. Exit code 1 when a fault was not survived or a defect not found.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    'without-defects': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../..');
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const only = values.only?.split(',');
const show = (line: string): void => void process.stderr.write(`${line}\n`);

show(`seed ${seed}`);
const results: Results = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
  date: new Date().toISOString(),
  seed,
  faults: await injectFaults(),
  defects: values['without-defects'] ? [] : await plantDefects(),
};
const page = resultsPage(results);
process.stdout.write(page);
if (values.write) writeFileSync(join(root, 'docs/faults.md'), page);
const hasFailed = results.faults.some(({ run }) => !hasHeld(run)) || results.defects.some(({ isFound }) => !isFound);
process.exit(hasFailed ? 1 : 0);

async function injectFaults(): Promise<Results['faults']> {
  const done: Results['faults'] = [];
  for (const fault of faults.filter(({ id }) => !only || only.includes(id))) {
    show(`${fault.id}: ${fault.name}`);
    const run = await runTests(root, fault.tests, seed);
    show(`  ${run.passed} passed, ${run.failed.length} failed, ${run.seconds} s`);
    for (const line of [...run.failed, ...run.broken]) show(`  failed: ${line}`);
    done.push({ fault, run });
  }
  return done;
}

async function plantDefects(): Promise<PlantedResult[]> {
  const done: PlantedResult[] = [];
  for (const defect of defects.filter(({ breaks }) => !only || only.includes(breaks))) {
    const result = await plantDefect(defect, seed);
    show(`${result.isFound ? 'found' : 'NOT FOUND'}: ${defect.name} (${result.by}, ${result.seconds} s)`);
    done.push(result);
  }
  return done;
}
