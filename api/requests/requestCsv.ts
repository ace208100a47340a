import type { EndedRequest } from '../../db/accounting/requests.ts';
import { CALL_UNITS } from '../../db/catalog/catalogFile.ts';
import { projectIdOf } from '../../db/workspaces/defaultProject.ts';
import type { CsvColumns } from '../http/csvList.ts';

/** The columns of a file of calls: a call in a row, with a column for each unit, as in the file of usage. */
export const REQUEST_CSV: CsvColumns<EndedRequest> = {
  id: ({ id }) => id,
  started_at: ({ startedAt }) => startedAt.toISOString(),
  settled_at: ({ settledAt }) => settledAt.toISOString(),
  status: ({ status }) => status,
  error_code: ({ refusal }) => refusal?.code,
  calls: ({ refusal }) => refusal?.calls ?? 1,
  product: ({ product }) => product,
  model: ({ model }) => model,
  route: ({ route }) => route,
  key_id: ({ keyId }) => keyId,
  key_prefix: ({ key }) => key?.prefix,
  key_name: ({ key }) => key?.name,
  project_id: ({ projectId }) => projectIdOf(projectId),
  first_byte_ms: ({ firstByteMs }) => firstByteMs,
  duration_ms: ({ durationMs }) => durationMs,
  finish_reason: ({ finishReason }) => finishReason,
  ...Object.fromEntries(CALL_UNITS.map((unit) => [`units.${unit}`, ({ usage }: EndedRequest) => usage[unit]])),
  cost_usd: ({ costNanos }) => costNanos,
};
