import { readOptions } from '../../base/commandLine.ts';
import { FULL_PLAN, type Plan, QUICK_PLAN } from './plan.ts';

interface BenchConfig {
  plan: Plan;
  /** Names of areas; undefined: all. */
  only: string | undefined;
  /** All samples instead of a table. */
  json: boolean;
  /** No figures from a machine that others use. */
  refusesBusy: boolean;
  /** Where programs are looked for. */
  searchPath: string;
}

/** What `--help` and a wrong command line print. */
export const USAGE = `Usage: npm run bench -- [--quick] [--only AREA,AREA] [--json] [--busy-anyway]
  --quick        fewer and shorter rounds
  --only         these areas: chat,streams
  --json         all samples instead of a table
  --busy-anyway  also on a machine that others use; otherwise status 3`;

/** `[--quick] [--only chat,streams] [--json] [--busy-anyway]`, and the PATH. A wrong line ends the program with its usage. */
export function readBenchConfig(): BenchConfig {
  const values = readOptions(USAGE, {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    'busy-anyway': { type: 'boolean', default: false },
  });
  return {
    plan: values.quick ? QUICK_PLAN : FULL_PLAN,
    only: values.only,
    json: values.json,
    refusesBusy: !values['busy-anyway'],
    searchPath: process.env.PATH ?? '',
  };
}
