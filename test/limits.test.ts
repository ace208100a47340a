import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { LONG_TEXT_BODY, MEDIA_BODY, SMALL_BODY, TOKENS_BODY } from '../api/body/body.ts';
import { MEDIA_BYTES_MAX } from '../api/runs/createRun.ts';
import { RunOrder } from '../api/runs/runSchema.ts';
import { RETENTION_DAYS, sizeText } from '../base/limits.ts';
import {
  BATCH_FILE_BYTES_MAX,
  DIRECTORY_DEPTH_MAX,
  FILE_BYTES_MAX,
  ICON_BYTES_MAX,
  SESSION_BYTES_MAX,
  SESSION_ENTRIES_MAX,
  WORKSPACE_BYTES_MAX,
} from '../db/files/upload.ts';
import { KEY_HOURS } from '../db/idempotency.ts';
import { ITEM_HOURS } from '../db/responseItems.ts';
import { MODEL_STEPS_MAX } from '../workflows/contract.ts';
import { readText } from './support/sources.ts';

const readme = readText('README.md');
const { default: runSeconds, maximum: runSecondsMax } = z.toJSONSchema(RunOrder, {
  io: 'input',
  unrepresentable: 'any',
}).properties!['timeout_seconds'] as { default: number; maximum: number };
const count = (value: number) => value.toLocaleString('en-US');

test.each([
  [
    'One file; an agent’s icon; the calls of a batch',
    `${sizeText(FILE_BYTES_MAX)}; ${sizeText(ICON_BYTES_MAX)}; ${sizeText(BATCH_FILE_BYTES_MAX)}`,
  ],
  [
    'A JSON body of chat and responses',
    `${sizeText(MEDIA_BODY.bytesMax)}, images and files included; ${count(MEDIA_BODY.valuesMax)} members`,
  ],
  [
    'of other routes for long texts; of all others',
    `${sizeText(LONG_TEXT_BODY.bytesMax)}; ${sizeText(SMALL_BODY.bytesMax)}; ${count(SMALL_BODY.valuesMax)} members (${count(TOKENS_BODY.valuesMax)} token numbers)`,
  ],
  [
    'One session',
    `${sizeText(SESSION_BYTES_MAX)}, ${count(SESSION_ENTRIES_MAX)} entries, ${DIRECTORY_DEPTH_MAX} levels`,
  ],
  ['One workspace', sizeText(WORKSPACE_BYTES_MAX)],
  ['Images and sounds that one run gives to its model', sizeText(MEDIA_BYTES_MAX)],
  [
    'One run',
    `${runSeconds / 3600} hour unless it asks for up to ${runSecondsMax / 3600}, ${MODEL_STEPS_MAX} calls of the model`,
  ],
  ['Events of a run; answers under an `Idempotency-Key`', `${RETENTION_DAYS} days; ${KEY_HOURS} hours`],
])('the README says the limit that is enforced: %s', (name, limit) => {
  const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.filter(([, cell]) => cell === name).map(([, , value]) => value)).toEqual([limit]);
});

test('the README says how long output items are kept', () => {
  expect(readme).toContain(`keeps the output items of an answer for ${ITEM_HOURS} hours`);
});
