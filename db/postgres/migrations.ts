import { applyLedgerRules } from './ledgerRules.ts';
import { ensureLogin } from './login.ts';
import { openOrm } from './orm.ts';

/**
 * Applies pending migrations and changed rules of the ledger with the owner's login, and makes the application's login of
 * `applicationUrl` when it is another. Returns the names of what was applied.
 */
export async function migrate(url: string, applicationUrl = url): Promise<string[]> {
  const orm = await openOrm({ url, poolMax: 1 });
  try {
    const migrations = (await orm.migrator.up()).map((migration) => migration.name);
    const rules = await applyLedgerRules(orm);
    const logins = (await ensureLogin(url, applicationUrl)) ? ['login of the application'] : [];
    return [...migrations, ...rules, ...logins];
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
