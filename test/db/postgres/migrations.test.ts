import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findDrift, migrate } from '../../../db/postgres/migrations.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof makeDatabase>>;

beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

test('the migrations make exactly the tables that the entities describe', async () => {
  expect(await findDrift(ownerUrlOf(database.url))).toBe('');
});

test('a second migration has nothing to do', async () => {
  expect(await migrate(ownerUrlOf(database.url))).toEqual([]);
});
