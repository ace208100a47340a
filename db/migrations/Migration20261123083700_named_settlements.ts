import { Migration } from '@mikro-orm/migrations';

/**
 * Settlements are exchanged by name: batches are stored as JSON, and the ledger's functions pass rows of `ledger_settlement` to each other
 * instead of an array for each column. Batches that wait in the old format are rewritten.
 */
export class Migration20261123083700_named_settlements extends Migration {
  override name = 'Migration20261123083700_named_settlements';

  override up(): void {
    this.addSql(
      `update settlement_batches set settlements = array_to_json(array(select ledger_batch_items(settlements)))::text where settlements not like '[%';`,
    );
    this.addSql('drop function ledger_batch_items(text);');
    this.addSql('drop function if exists ledger_settle;');
    this.addSql('drop function ledger_settle_batches;');
    this.addSql('drop function ledger_settle_again;');
    this.addSql('alter type ledger_settlement add attribute provisional boolean;');
  }
}
