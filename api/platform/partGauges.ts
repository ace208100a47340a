import type { ReadGauge } from '../../base/telemetry/metrics.ts';
import { waitAtMost } from '../../base/waiting.ts';
import type { Services } from '../services.ts';

const ANSWER_MS = 1_000;

/** Whether the parts behind the API answer this process: Temporal, and the store of shared limits. */
export const partGauges = ({ temporal, limits }: Pick<Services, 'temporal' | 'limits'>): ReadGauge[] => [
  {
    name: 'ledgerline_temporal_up',
    help: 'Whether Temporal answers this process: 1 or 0',
    read: async () => {
      const asked = temporal.state();
      const state = (await waitAtMost(ANSWER_MS, asked)) ? await asked : 'away';
      // At the first scrape the library is being loaded.
      return state === 'unknown' ? [] : [{ value: state === 'reachable' ? 1 : 0 }];
    },
  },
  {
    name: 'ledgerline_limit_store_up',
    help: 'Whether the store of LIMITS_REDIS_URL answers this process: 1, also where none is set, or 0',
    read: async () => [{ value: (await limits.storeAnswers()) ? 1 : 0 }],
  },
];
