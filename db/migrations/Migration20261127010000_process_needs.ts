import { Migration } from '@mikro-orm/migrations';

/** How many connections a process may open, and which keys of each variable it holds: what an operator must know before a change. */
export class Migration20261127010000_process_needs extends Migration {
  override name = 'Migration20261127010000_process_needs';

  override up(): void {
    this.addSql(`alter table "processes" add column "connections_max" int null, add column "key_ids" jsonb null`);
  }

  override down(): void {
    this.addSql('alter table "processes" drop column "connections_max", drop column "key_ids"');
  }
}
