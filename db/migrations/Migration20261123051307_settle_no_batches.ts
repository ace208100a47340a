import { Migration } from '@mikro-orm/migrations';

/** `ledger_settle` ends no batches any more: `ledger_settle_batches`, its only caller that has some, does. */
export class Migration20261123051307_settle_no_batches extends Migration {
  override name = 'Migration20261123051307_settle_no_batches';

  override up(): void {
    this.addSql('drop function ledger_settle;');
  }
}
