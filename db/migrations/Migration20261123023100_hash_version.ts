import { Migration } from '@mikro-orm/migrations';

/** Entries from now on are hashed with their key and the id, time and house legs of their transaction; older ones keep their hashes. */
export class Migration20261123023100_hash_version extends Migration {
  override up(): void {
    this.addSql('alter table ledger_entries add column hash_version smallint null');
  }
}
