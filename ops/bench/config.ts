import { parseArgs } from 'node:util';
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

/** `[--quick] [--only chat,streams] [--json] [--busy-anyway]`, and the PATH. Throws for an unknown option. */
export function readBenchConfig(): BenchConfig {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      'busy-anyway': { type: 'boolean', default: false },
    },
  });
  return {
    plan: values.quick ? QUICK_PLAN : FULL_PLAN,
    only: values.only,
    json: values.json,
    refusesBusy: !values['busy-anyway'],
    searchPath: process.env.PATH ?? '',
  };
}
