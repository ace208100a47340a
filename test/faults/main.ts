import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../base/commandLine.ts';
import { defects, type Defect } from './defects.ts';
import { faults, type Fault } from './faults.ts';
import { plantDefect } from './plantDefects.ts';
import { readRecords, record } from './records.ts';
import { hasHeld, resultsPage } from './resultsPage.ts';
import { runTests } from './runTests.ts';

/**
 * `npm run faults -- [--only F1,F4,defects] [--seed N] [--write]`: injects faults and checks the invariants, then plants each defect and
 * checks that the tests find it. Progress on standard error; on standard output the page of results, with the last results of omitted
 * faults. `--write` also puts it into `docs/`. Exit code 1 when a fault was not survived or a defect not found.
 */
const USAGE = `Usage: npm run faults -- [--only F1,F4,defects] [--seed NUMBER] [--write]
  --only   these faults, and planted defects
  --seed   of random choices
  --write  puts the results into docs/reference/faults.md`;
const values = readOptions(USAGE, {
  only: { type: 'string' },
  seed: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const root = join(import.meta.dirname, '../..');
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const only = values.only?.split(',');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const recorded = () => ({ commit, date: new Date().toISOString(), seed });
const show = (line: string): void => void process.stderr.write(`${line}\n`);
let hasFailed = false;

show(`seed ${seed}`);
for (const fault of faults.filter(({ id }) => !only || only.includes(id))) await inject(fault);
if (!only || only.includes('defects')) for (const defect of defects) await plant(defect);
const results = readRecords();
const page = resultsPage(results.faults, results.defects);
process.stdout.write(page);
if (values.write) writeFileSync(join(root, 'docs/reference/faults.md'), page);
process.exit(hasFailed ? 1 : 0);

async function inject(fault: Fault): Promise<void> {
  show(`${fault.id}: ${fault.name}`);
  const run = await runTests(root, fault.tests, seed);
  show(`  ${run.passed} passed, ${run.failed.length} failed, ${run.seconds} s`);
  for (const line of [...run.failed, ...run.broken]) show(`  failed: ${line}`);
  for (const message of run.messages) show(message);
  hasFailed ||= !hasHeld(run);
  record({ ...recorded(), fault, run });
}

async function plant(defect: Defect): Promise<void> {
  const result = await plantDefect(defect, seed);
  show(`${result.isFound ? 'found' : 'NOT FOUND'}: ${defect.name} (${result.by}, ${result.seconds} s)`);
  hasFailed ||= !result.isFound;
  record({ ...recorded(), ...result });
}
