import { z } from 'zod';
import {
  BATCH_LINE_BYTES_MAX,
  BATCH_LINES_MAX,
  IDEMPOTENCY_KEY_CHARACTERS,
  METADATA_PAIRS_MAX,
  RETENTION_DAYS,
  RUN_WAIT_SECONDS_MAX,
  SUBMISSION_HOURS,
  TOPUP_USD_MAX,
  TOPUP_USD_MIN,
  sizeText,
  MODEL_STEPS,
  MODEL_STEPS_MAX,
} from '../../../base/limits.ts';
import {
  BATCH_FILE_BYTES_MAX,
  DIRECTORY_DEPTH_MAX,
  FILE_BYTES_MAX,
  ICON_BYTES_MAX,
  SESSION_BYTES_MAX,
  SESSION_ENTRIES_MAX,
  WORKSPACE_BYTES_MAX,
} from '../../../db/files/upload.ts';
import { COMPLETION_HOURS, OPEN_BATCHES_MAX } from '../../../db/batches/batches.ts';
import { CALLS_AT_ONCE_MAX } from '../../../db/runs/steps/stepRecords.ts';
import { KEY_HOURS } from '../../../db/answers/idempotency.ts';
import { LONG_TEXT_BODY, MEDIA_BODY, SMALL_BODY, TOKENS_BODY } from '../../../base/limits.ts';
import { prose } from './html.ts';
import { MEDIA_BYTES_MAX } from '../../../orders/input.ts';
import { RunOrder } from '../../../orders/order.ts';

/** The configured limits of an installation. */
export interface InstalledLimits {
  defaultRpmLimit: number;
  defaultConcurrencyLimit: number;
  openRunsMax: number;
  submissionsPerDayMax: number;
}

type Row = [name: string, value: string];

const count = (value: number) => value.toLocaleString('en-US');
const { default: runSeconds, maximum: runSecondsMax } = z.toJSONSchema(RunOrder, {
  io: 'input',
  unrepresentable: 'any',
}).properties!['timeout_seconds'] as { default: number; maximum: number };

/** The limits of every installation, from the constants that enforce them. `docs/reference/limits.md` has the same rows. */
export const LIMITS: readonly Row[] = [
  [
    'One file; an agent’s icon; the calls of a batch',
    `${sizeText(FILE_BYTES_MAX)}; ${sizeText(ICON_BYTES_MAX)}; ${sizeText(BATCH_FILE_BYTES_MAX)}`,
  ],
  [
    'One batch; all open batches of a workspace',
    `${count(BATCH_LINES_MAX)} lines of ${sizeText(BATCH_LINE_BYTES_MAX)}, ${COMPLETION_HOURS} hours; ${OPEN_BATCHES_MAX}`,
  ],
  ['Calls of tools in one answer of an agent’s model', `${CALLS_AT_ONCE_MAX}`],
  [
    'A JSON body of chat and responses',
    `${sizeText(MEDIA_BODY.bytesMax)}, images and files included; ${count(MEDIA_BODY.valuesMax)} members`,
  ],
  [
    'of other routes for long texts; of all others',
    `${sizeText(LONG_TEXT_BODY.bytesMax)}; ${sizeText(SMALL_BODY.bytesMax)}; ${count(SMALL_BODY.valuesMax)} ` +
      `members (${count(TOKENS_BODY.valuesMax)} token numbers)`,
  ],
  [
    'One session',
    `${sizeText(SESSION_BYTES_MAX)}, ${count(SESSION_ENTRIES_MAX)} entries, ${DIRECTORY_DEPTH_MAX} levels`,
  ],
  ['One workspace', sizeText(WORKSPACE_BYTES_MAX)],
  ['Images and sounds that one run gives to its model', sizeText(MEDIA_BYTES_MAX)],
  [
    'One run',
    `${runSeconds / 3600} hour unless it asks for up to ${runSecondsMax / 3600}; ${MODEL_STEPS} calls of the model unless its ` +
      `agent allows up to ${count(MODEL_STEPS_MAX)}`,
  ],
  ['Events of a run; answers under an `Idempotency-Key`', `${RETENTION_DAYS} days; ${KEY_HOURS} hours`],
];

/** All limits that affect a caller, the installation's own first. */
function limitsOf(installed: InstalledLimits): Row[] {
  const { min, max } = IDEMPOTENCY_KEY_CHARACTERS;
  return [
    ['Requests a minute of a key without a limit of its own', count(installed.defaultRpmLimit)],
    ['Requests in flight of a key without a limit of its own', count(installed.defaultConcurrencyLimit)],
    ['Open runs of a workspace', count(installed.openRunsMax)],
    [`Submissions of a workspace in ${SUBMISSION_HOURS} hours`, count(installed.submissionsPerDayMax)],
    ['One payment into the balance', `${TOPUP_USD_MIN} to ${count(TOPUP_USD_MAX)} US dollars`],
    ...LIMITS,
    ['How long `Prefer: wait` may wait for a run', `${RUN_WAIT_SECONDS_MAX} seconds`],
    ['`Idempotency-Key`; `metadata`', `${min} to ${max} characters; ${METADATA_PAIRS_MAX} pairs`],
  ];
}

/** The same as a table. */
export function limitsTable(installed: InstalledLimits): string {
  const rows = limitsOf(installed).map(
    ([name, value]) => `<tr><th scope="row">${prose(name)}</th><td>${prose(value)}</td></tr>`,
  );
  return `<table><tbody>${rows.join('')}</tbody></table>`;
}
