import { Migration } from '@mikro-orm/migrations';

/** Each process keeps what its running calls hold of each slice: the rest of a slice is not shown as held. */
export class Migration20261123050117_slices_in_use extends Migration {
  override name = 'Migration20261123050117_slices_in_use';

  override up(): void {
    this.addSql(`alter table "processes" add "in_use" jsonb not null default '{}';`);
    // `db/ledger/sql/flush.sql` has one parameter more.
    this.addSql('drop function ledger_flush(text, int, json, text[]);');
  }
}
