import type { Fault } from './faults.ts';
import type { PlantedResult } from './plantDefects.ts';
import type { TestRun } from './runTests.ts';

/** Everything that the page of results shows. */
export interface Results {
  commit: string;
  /** ISO 8601. */
  date: string;
  seed: number;
  faults: { fault: Fault; run: TestRun }[];
  defects: PlantedResult[];
}

/** The page of results, in Markdown. */
export function resultsPage({ commit, date, seed, faults, defects }: Results): string {
  const found = defects.filter(({ isFound }) => isFound).length;
  const held = faults.filter(({ run }) => hasHeld(run)).length;
  return [
    '# Faults: results',
    '',
    `Written by \`npm run faults\` for commit ${commit} on ${date.slice(0, 10)}; seed ${seed} (\`npm run faults -- --seed ${seed}\`). The runbook of`,
    'each fault is in `runbooks/faults.md`; the tests are listed in `test/faults/faults.ts`.',
    '',
    `**${held} of ${faults.length} faults survived, ${found} of ${defects.length} planted defects found.**`,
    '',
    '| Fault | What | Must hold | Tests | Failed | Skipped | Seconds |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: |',
    ...faults.map(faultRow),
    '',
    'A planted defect is a change of the product that somebody could make. The tests must fail with it, or they would not notice it.',
    '',
    '| Planted defect | Breaks | Found by |',
    '| --- | --- | --- |',
    ...defects.map(defectRow),
    '',
  ].join('\n');
}

/** Whether a fault was injected and everything held. */
export const hasHeld = ({ passed, failed, broken }: TestRun): boolean =>
  passed > 0 && failed.length === 0 && broken.length === 0;

function faultRow({ fault, run }: Results['faults'][number]): string {
  const failures = run.failed.length + run.broken.length;
  return `| ${fault.id} | ${fault.name} | ${fault.holds.join(' ')} | ${run.passed} | ${failures} | ${run.skipped} | ${run.seconds} |`;
}

const defectRow = ({ defect, isFound, by }: PlantedResult): string =>
  `| ${defect.name} | ${defect.breaks} | ${isFound ? by.replaceAll('|', '\\|') : `**not found**: ${by}`} |`;
