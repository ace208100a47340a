import type { WorkspaceEntry } from '../../db/ledger/ledgerEntries.ts';
import type { CsvColumns } from '../http/csvList.ts';

/** The columns of a file of entries: an entry in a row. The statement of a month as JSON lines also has the hashes. */
export const LEDGER_CSV: CsvColumns<WorkspaceEntry> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt.toISOString(),
  kind: ({ kind }) => kind,
  model: ({ model }) => model,
  route: ({ route }) => route,
  agent: ({ agent }) => agent,
  key_prefix: ({ keyPrefix }) => keyPrefix,
  request_id: ({ requestId }) => requestId,
  run_id: ({ runId }) => runId,
  receipt_url: ({ receiptUrl }) => receiptUrl,
  amount_usd: ({ amountNanos }) => amountNanos,
  balance_after_usd: ({ balanceAfterNanos }) => balanceAfterNanos,
};
