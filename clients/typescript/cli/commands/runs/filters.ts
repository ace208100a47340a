import type { Command } from 'commander';
import type { paths } from '../../../src/index.ts';
import { appendPair, parsePast } from '../../options.ts';

type Query = NonNullable<paths['/v1/runs']['get']['parameters']['query']>;

/** What `withRunFilters` reads. */
export interface RunFilters {
  agent?: string;
  version?: string;
  session?: string;
  schedule?: string;
  source?: Query['source'];
  user?: string;
  status?: Query['status'];
  fault?: Query['fault'];
  code?: string;
  error?: string;
  metadata?: Record<string, string>;
  from?: string;
  to?: string;
}

/** Options that choose runs. */
export const withRunFilters = (command: Command): Command =>
  command
    .option('--agent <name>', 'only this agent: acme/poet')
    .option('--version <version>', 'only this version of it')
    .option('--session <id>', 'only this session')
    .option('--schedule <id>', 'only those that this schedule has started')
    .option('--source <source>', 'api, chat, workstream, schedule, agent or test')
    .option('--user <user>', 'only this end user')
    .option('--status <status>', 'completed, failed, cancelled, limit_reached, requires_action, in_progress or queued')
    .option('--fault <fault>', 'platform, provider, agent or caller')
    .option('--code <code>', 'only failures with this code')
    .option('--error <text>', 'a part of the message of a failure')
    .option('--metadata <name=value>', 'only with this note; can be repeated', appendPair)
    .option('--from <time>', 'since a date, or a span such as 24h', parsePast)
    .option('--to <time>', 'until a date', parsePast);

/** The filters by the names of the API. */
export function queryOf({ session, schedule, code, ...rest }: RunFilters) {
  return { ...rest, session_id: session, schedule_id: schedule, error_code: code };
}
