import { Migration } from '@mikro-orm/migrations';

const TABLES = ['platform_events', 'run_events'];

/** Finds the events of a workspace by their position. The indexes are built while the tables are read and written. */
export class Migration20261126211010_event_positions_index extends Migration {
  override name = 'Migration20261126211010_event_positions_index';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const table of TABLES) {
      // Of an attempt that failed.
      this.addSql(`drop index concurrently if exists ${table}_position_index`);
      this.addSql(
        `create index concurrently ${table}_position_index on ${table} (workspace_id, position) where position is not null`,
      );
    }
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop index ${table}_position_index`);
  }
}
