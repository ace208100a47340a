import { Migration } from '@mikro-orm/migrations';

/** Finds the events that are past their retention. */
export class Migration20261121135653_events_age extends Migration {
  override up(): void {
    this.addSql('create index run_events_age_index on run_events using brin (created_at)');
  }
}
