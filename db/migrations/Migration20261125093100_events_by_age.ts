import { Migration } from '@mikro-orm/migrations';

/**
 * Finds the events that are past their retention. BRIN found them among all: new events take the pages of deleted ones, and a range of
 * pages keeps its earliest time. An attempt that got no lock in time leaves an invalid index, which the next one drops.
 */
export class Migration20261125093100_events_by_age extends Migration {
  override name = 'Migration20261125093100_events_by_age';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists run_events_created_at_index');
    this.addSql('create index concurrently run_events_created_at_index on run_events (created_at)');
    this.addSql('drop index concurrently if exists run_events_age_index');
  }
}
