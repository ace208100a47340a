import { rebuildRun } from '../db/runs/rebuildRun.ts';
import type { Command } from './command.ts';
import { UsageError } from './options.ts';
import { readRunRecord } from './runRecord.ts';

export const rebuildRunCommand: Command = {
  words: 'runs rebuild',
  usage: 'RUN_ID',
  summary:
    'Writes status, lifecycle events, meters and cost of a run anew from its workflow’s history, and settles it.',
  options: {},
  takesNames: true,
  async run({ db, config, names: [runId] }) {
    if (runId === undefined) throw new UsageError('Which run? Usage: runs rebuild RUN_ID');
    const record = await readRunRecord(config.temporal, runId).catch((error: Error) => {
      throw asUnknownRun(error, runId, config.temporal.namespace);
    });
    const report = await rebuildRun(db, runId, record);
    const { statusWas, status, events, usage } = report;
    return {
      text: `${runId}: ${statusWas} -> ${status}; ${events} events and ${usage} lines of cost were missing.`,
      json: { run_id: runId, status_was: statusWas, status, events, usage, meters: report.meters },
    };
  },
};

// gRPC's code of what is not there.
const NOT_FOUND = 5;

function asUnknownRun(error: Error & { code?: unknown }, runId: string, namespace: string): Error {
  if (error.code !== NOT_FOUND) return error;
  return new Error(`Temporal's namespace ${namespace} has no history of a run ${runId}.`, { cause: error });
}
