import { z } from 'zod';
import type { RouteDoc } from '../http/documentedRoute.ts';

export const Status = z.object({ status: z.string() });

export const Readiness = Status.extend({
  temporal: z
    .enum(['reachable', 'away', 'unknown'])
    .describe('While it is `away`, runs are accepted and start when it is back. `unknown` right after the start.'),
});

const STATUS = { id: 'Status', schema: Status };

/** Documentation of the health checks. */
export const healthDocs = {
  health: {
    tag: 'Service',
    summary: 'Whether the process runs',
    answer: STATUS,
  },
  readiness: {
    tag: 'Service',
    summary: 'Whether it can do its work',
    answer: { id: 'Readiness', schema: Readiness },
  },
} satisfies Record<string, RouteDoc>;
