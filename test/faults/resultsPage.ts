import type { Fault } from './faults.ts';
import type { PlantedResult } from './plantDefects.ts';
import type { TestRun } from './runTests.ts';

/** A result of one fault or defect, with its time and commit: the suite takes an hour, and may run in parts. */
export interface Recorded {
  commit: string;
  /** ISO 8601. */
  date: string;
  seed: number;
}

export type FaultResult = Recorded & { fault: Fault; run: TestRun };
export type DefectResult = Recorded & PlantedResult;

/** The page of results, in Markdown. */
export function resultsPage(faults: FaultResult[], defects: DefectResult[]): string {
  const found = defects.filter(({ isFound }) => isFound).length;
  const held = faults.filter(({ run }) => hasHeld(run)).length;
  return [
    '# Faults: results',
    '',
    'Written by `npm run faults -- --write`. The runbook of each fault is in [runbooks/faults.md](../operate/runbooks/faults.md), its tests are listed in `test/faults/faults.ts`.',
    'A seed repeats what a run chose at random: `npm run faults -- --only F1 --seed 5`.',
    '',
    `**${held} of ${faults.length} faults survived, ${found} of ${defects.length} planted defects found.**`,
    '',
    '| Fault | What | Must hold | Passed | Failed | Skipped | Seconds | Commit, date, seed |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...faults.map(faultRow),
    '',
    'A planted defect is a change of the product that somebody could make. The tests must fail with it, or they would not notice it.',
    '',
    '| Planted defect | Breaks | Found by | Commit, date, seed |',
    '| --- | --- | --- | --- |',
    ...defects.map(defectRow),
    '',
  ].join('\n');
}

/** Whether a fault was injected and all invariants held. */
export const hasHeld = ({ passed, failed, broken }: TestRun): boolean =>
  passed > 0 && failed.length === 0 && broken.length === 0;

const placeOf = ({ commit, date, seed }: Recorded): string => `${commit}, ${date.slice(0, 10)}, ${seed}`;

function faultRow(result: FaultResult): string {
  const { fault, run } = result;
  const failures = run.failed.length + run.broken.length;
  const counts = `${run.passed} | ${failures} | ${run.skipped} | ${run.seconds}`;
  return `| ${fault.id} | ${fault.name} | ${fault.holds.join(' ')} | ${counts} | ${placeOf(result)} |`;
}

function defectRow(result: DefectResult): string {
  const { defect, isFound, by } = result;
  const found = isFound ? by.replaceAll('|', '\\|') : `**not found**: ${by}`;
  return `| ${defect.name} | ${defect.breaks} | ${found} | ${placeOf(result)} |`;
}
