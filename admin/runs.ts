import { rebuildRun } from '../db/runs/rebuildRun.ts';
import type { Command } from './command.ts';
import { UsageError } from './options.ts';
import { readRunRecord } from './runRecord.ts';

export const rebuildRunCommand: Command = {
  words: 'runs rebuild',
  usage: 'RUN_ID',
  summary: 'Writes status, lifecycle events, meters and cost of a run anew from its workflow’s history.',
  options: {},
  takesNames: true,
  async run({ db, config, names: [runId] }) {
    if (runId === undefined) throw new UsageError('Which run? Usage: runs rebuild RUN_ID');
    const report = await rebuildRun(db.pool, runId, await readRunRecord(config.temporal, runId));
    const { statusWas, status, events, usage } = report;
    return {
      text: `${runId}: ${statusWas} -> ${status}; ${events} events and ${usage} lines of cost were missing.`,
      json: { run_id: runId, status_was: statusWas, status, events, usage, meters: report.meters },
    };
  },
};
