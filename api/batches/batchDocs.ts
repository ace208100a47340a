import { BATCH_LINES_MAX } from '../../base/limits.ts';
import { COMPLETION_HOURS, OPEN_BATCHES_MAX } from '../../db/batches/batches.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { BatchInput, BatchListQuery } from './batchSchema.ts';
import { BatchAnswer, BatchListAnswer } from './presentBatch.ts';

const BATCH = { id: 'Batch', schema: BatchAnswer };

/** Documentation of batches. */
export const batchDocs = {
  create: {
    tag: 'Batches',
    summary: 'Run a file of calls',
    description:
      `Runs up to ${BATCH_LINES_MAX.toLocaleString('en-US')} calls within ${COMPLETION_HOURS} hours, at the batch price of their models. The file is checked first: with errors the batch is \`failed\`, and no line runs. ` +
      'Each line is billed once, when it is answered; what fails is not billed. When the money is used up, the remaining lines are in the error file as `insufficient_balance`. ' +
      `Lines do not count against the key’s requests a minute. A workspace has at most ${OPEN_BATCHES_MAX} batches that have not ended. ` +
      'Results are stored although the workspace has become full meanwhile; a full workspace begins no other batch.',
    input: {
      id: 'BatchRequest',
      schema: BatchInput,
      example: { input_file_id: 'file_...', endpoint: '/v1/chat/completions', completion_window: '24h' },
    },
    headers: headers.ONCE,
    answer: BATCH,
    errors: [402, 404],
  },
  list: {
    tag: 'Batches',
    summary: 'List batches',
    description: 'Newest first.',
    query: BatchListQuery,
    answer: { id: 'BatchList', schema: BatchListAnswer },
    errors: [404],
  },
  retrieve: {
    tag: 'Batches',
    summary: 'Read a batch',
    description: '`request_counts` and `usage` move while it runs.',
    answer: BATCH,
  },
  cancel: {
    tag: 'Batches',
    summary: 'Cancel a batch',
    description:
      'Lines that run are finished and billed; the others are in the error file as `batch_cancelled`. The batch is `cancelling` until its files are written.',
    answer: BATCH,
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;
