import { Migration } from '@mikro-orm/migrations';

/** Reads the present rows once, while calls go on: none of them is of a month that begins now or later. */
export class Migration20261127030010_months_checked extends Migration {
  override name = 'Migration20261127030010_months_checked';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const table of ['requests', 'ledger_entries'])
      this.addSql(`alter table ${table} validate constraint ${table}_of_no_month`);
  }
}
