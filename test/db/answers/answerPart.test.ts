import { afterAll, expect, test } from '@jest/globals';
import { insertParts, valuesOf, type AnswerPart } from '../../../db/answers/answerPart.ts';
import { newId } from '../../../db/ids.ts';
import { setTestDatabase } from '../../support/database.ts';
import type { PlanNode } from '../../support/planNodes.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const MIB = 1024 * 1024;

test('large parts are stored without a copy of their bytes in a file of the sort', async () => {
  const part = { requestId: newId('req'), workspaceId: 'ws_1', fingerprint: null, state: 'open' as const };
  const parts = Array.from({ length: 8 }, (_, at): AnswerPart => ({ ...part, part: at, bytes: Buffer.alloc(MIB) }));
  const text = `explain (analyze, buffers, timing off, format json) ${insertParts(1, 'true')}`;
  const { rows } = await db.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(text, valuesOf(parts));
  expect(rows[0]!['QUERY PLAN'][0].Plan).toMatchObject({ 'Temp Written Blocks': 0 });
  expect(await db.answers.readParts('ws_1', part.requestId, 0)).toHaveLength(8);
});
