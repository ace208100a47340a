import { afterEach, beforeEach } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf, withClient } from '../../support/database.ts';
import { makeKeys, makeRows, type Keys, type Rows } from './rotatedRows.ts';
import { runAdmin } from './runAdmin.ts';

// More than one portion.
export const CONTENTS = 120;
export const RINGS = ['PLUGIN_SECRETS_KEY', 'CATALOG_SECRETS_KEY', 'CONTENTS_KEY', 'TEMPORAL_PAYLOAD_KEY'] as const;

/** What a test of a rotation has: a database of its own, with a row of each kind that is sealed with the keys from before. */
export interface RotateStage {
  databaseUrl: string;
  db: Database;
  rows: Rows;
  before: Keys;
  after: Keys;
}

/** Makes them before each test of a file. */
export function setRotateStage() {
  let database: Awaited<ReturnType<typeof makeDatabase>>;
  const stage = {} as RotateStage;
  beforeEach(async () => {
    database = await makeDatabase();
    const db = await openTestDatabase({ url: database.url, spends: false });
    const [before, after] = [makeKeys(), makeKeys()];
    const rows = await makeRows(db, before, { contents: CONTENTS });
    Object.assign(stage, { databaseUrl: database.url, db, rows, before, after });
  });
  afterEach(async () => {
    await stage.db.close();
    await database.drop();
  });
  const asOwner = (text: string) => withClient(ownerUrlOf(stage.databaseUrl), (client) => client.query(text));
  return {
    stage,
    asOwner,
    rotate: (keys: object, ...options: string[]) =>
      runAdmin(['keys', 'rotate', ...options], { DATABASE_URL: stage.databaseUrl, DATA_DIR: '/nonexistent', ...keys }),
    /** Two minutes and all tokens later. */
    letTimePass: async (): Promise<void> => {
      await asOwner(`update secret_versions set signs_at = now() - interval '25 hours'`);
    },
  };
}
