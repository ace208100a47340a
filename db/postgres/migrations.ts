import { applyLedgerRules } from './ledgerRules.ts';
import { openOrm } from './orm.ts';

/** Applies pending migrations and changed rules of the ledger, as the database's owner. Returns the names of both. */
export async function migrate(url: string): Promise<string[]> {
  const orm = await openOrm({ url, poolMax: 1 });
  try {
    const migrations = (await orm.migrator.up()).map((migration) => migration.name);
    return [...migrations, ...(await applyLedgerRules(orm))];
  } finally {
    await orm.close();
  }
}

/** The statements that would make the schema equal to the entities: empty when the migrations are complete. */
export async function findDrift(url: string): Promise<string> {
  const orm = await openOrm({ url, poolMax: 1 });
  try {
    return await orm.schema.getUpdateSchemaSQL();
  } finally {
    await orm.close();
  }
}
