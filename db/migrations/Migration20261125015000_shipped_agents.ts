import { Migration } from '@mikro-orm/migrations';

/** Which drafts of the platform's own agents a release wrote: only those are replaced by the next release. */
export class Migration20261125015000_shipped_agents extends Migration {
  override name = 'Migration20261125015000_shipped_agents';

  override up(): void {
    this.addSql('alter table "agents" add column "shipped_revision" int null');
    // The owner of the tables is no tenant: without this it sees no row.
    this.addSql('alter table agents no force row level security');
    this.addSql(
      `update agents set shipped_revision = 1 where namespace = 'ledgerline' and slug in ('writer', 'analyst', 'researcher')`,
    );
    this.addSql('alter table agents force row level security');
  }

  override down(): void {
    this.addSql('alter table "agents" drop column "shipped_revision"');
  }
}
