import { Migration } from '@mikro-orm/migrations';

/** Schedules are found by their agent. The index is built while the table is read and written. */
export class Migration20261126208100_schedules_agent extends Migration {
  override name = 'Migration20261126208100_schedules_agent';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // Of an attempt that failed.
    this.addSql('drop index concurrently if exists schedules_agent_index');
    this.addSql(
      `create index concurrently schedules_agent_index on schedules (split_part(run ->> 'agent', '@', 1)) where deleted_at is null`,
    );
  }

  override down(): void {
    this.addSql('drop index concurrently if exists schedules_agent_index');
  }
}
