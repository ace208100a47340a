import { Migration } from '@mikro-orm/migrations';

/** When the ceiling of a key or a project was changed: the ledger's rules hold for the periods that begin after it. */
export class Migration20261126180000_limit_changes extends Migration {
  override name = 'Migration20261126180000_limit_changes';

  override up(): void {
    for (const table of ['api_keys', 'projects'])
      this.addSql(`alter table "${table}" add column "limit_changed_at" timestamptz null`);
  }

  override down(): void {
    for (const table of ['api_keys', 'projects']) this.addSql(`alter table "${table}" drop column "limit_changed_at"`);
  }
}
