import { expect, test } from '@jest/globals';
import { summaryOf } from '../../../db/postgres/tracedPool.ts';

test.each([
  [{ name: 'settlement_batches_write', text: 'insert into settlement_batches' }, 'settlement_batches_write'],
  ["begin; set local role x; set local app.workspace_id = 'ws_1'", 'BEGIN'],
  ['select "r0".* from "runs" as "r0" where "r0"."id" = \'run_1\'', 'SELECT runs'],
  ['insert into "files" ("id", "name") values (\'file_1\', \'from "secrets"\')', 'INSERT files'],
  ['update "sessions" set "title" = \'into secret\' where "id" = 1', 'UPDATE sessions'],
  ['delete from idempotency where created_at < $1', 'DELETE idempotency'],
  ['with due as (select id from runs) select * from due', 'WITH runs'],
  ["select 'secret' from accounts", 'SELECT'],
  ['select * from ledger_room($1)', 'SELECT ledger_room'],
  ['commit', 'COMMIT'],
])('a statement is named without what it contains: %j', (statement, summary) => {
  expect(summaryOf(statement)).toBe(summary);
});
