import { Migration } from '@mikro-orm/migrations';

/** Sums of an hour are kept for each project. The index of the new primary key is built while the table is read and written. */
export class Migration20261126162100_usage_hours_by_project extends Migration {
  override name = 'Migration20261126162100_usage_hours_by_project';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table alerts validate constraint alerts_project_check');
    // Of an attempt that failed.
    this.addSql('drop index concurrently if exists usage_hours_by_project');
    this.addSql(
      'create unique index concurrently usage_hours_by_project on usage_hours (workspace_id, hour, key_id, model, route, price_id, project_id)',
    );
    this.addSql(
      'alter table usage_hours drop constraint usage_hours_pkey, add constraint usage_hours_pkey primary key using index usage_hours_by_project',
    );
  }
}
