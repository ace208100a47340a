import { Migration } from '@mikro-orm/migrations';

/** Finds the few failed runs among the many of an agent. The index is built while the table is read and written. */
export class Migration20261126206100_failed_runs_index extends Migration {
  override name = 'Migration20261126206100_failed_runs_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // Of an attempt that failed.
    this.addSql('drop index concurrently if exists runs_agent_failed_index');
    this.addSql(
      'create index concurrently runs_agent_failed_index on runs (agent_id, settled_at) where fault is not null',
    );
  }

  override down(): void {
    this.addSql('drop index runs_agent_failed_index');
  }
}
