/** What writes rows of two workspaces in one transaction of the database: `docs/operate/scale.md` says how each is divided. */
export const CROSSINGS: Record<string, { where: string; transactions: string[]; divided: string }> = {
  'a run is settled': {
    where: 'db/ledger/sql/settle_run.sql',
    transactions: [
      'caller: accounts, holds, key_days, ledger_legs, run_events, run_usage, runs; publisher: ledger_legs',
    ],
    divided: 'two ledger transactions over a clearing account; each half is posted once',
  },
  'calls are settled together': {
    where: 'db/ledger/sql/settle.sql',
    transactions: ['caller: accounts, holds, key_days, requests; neighbour: accounts, holds, key_days, requests'],
    divided: 'a process has a writer for each group, so a batch is of one group',
  },
  'a run is shared': {
    where: 'db/publishedRuns/runShares.ts',
    transactions: ['caller: audit_entries, run_shares; publisher: platform_events'],
    divided: 'the event of the publisher follows the share: it moves no money and may come later',
  },
  'an agent is taken down': {
    where: 'db/publishing/endings.ts',
    transactions: ['caller: platform_events; publisher: agents, audit_entries, platform_events'],
    divided: 'events of callers, and pauses of their schedules, follow the ending: they may come later',
  },
};
