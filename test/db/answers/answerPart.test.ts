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

test('parts are stored in the order of their ids, so that no two writers wait for each other', async () => {
  const ids = Array.from({ length: 400 }, () => newId('req'));
  const parts = ids.flatMap((requestId) =>
    [1, 0].map((part): AnswerPart => {
      const bytes = Buffer.from('a');
      return { requestId, workspaceId: 'ws_1', fingerprint: null, state: 'open', part, bytes };
    }),
  );
  const shuffled = parts.toSorted((a, b) => (a.requestId.slice(-3) < b.requestId.slice(-3) ? -1 : 1));
  const text = `${insertParts(1, '(select true)')} returning request_id as id, part`;
  const { rows } = await db.pool.query(text, valuesOf(shuffled));
  const wanted = ids.toSorted((a, b) => (a < b ? -1 : 1)).flatMap((id) => [0, 1].map((part) => ({ id, part })));
  expect(rows).toEqual(wanted);
});
