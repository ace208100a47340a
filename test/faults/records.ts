import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defects } from './defects.ts';
import { faults } from './faults.ts';
import type { DefectResult, FaultResult } from './resultsPage.ts';

const folder = join(import.meta.dirname, '../../.data/faults');

/** Records a result; it replaces an earlier one of the same fault or defect. */
export function record(result: FaultResult | DefectResult): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(pathOf('fault' in result ? result.fault.id : result.defect.name), JSON.stringify(result));
}

/** The last result of each fault and each defect, in their order; without those that never ran. */
export function readRecords(): { faults: FaultResult[]; defects: DefectResult[] } {
  return {
    faults: faults.flatMap((fault) => read<FaultResult>(fault.id).map((result) => ({ ...result, fault }))),
    defects: defects.flatMap((defect) => read<DefectResult>(defect.name).map((result) => ({ ...result, defect }))),
  };
}

const pathOf = (name: string): string => join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);

function read<Result>(name: string): Result[] {
  try {
    return [JSON.parse(readFileSync(pathOf(name), 'utf8')) as Result];
  } catch {
    return [];
  }
}
