import { Migration } from '@mikro-orm/migrations';

/** A call that was not charged gets no debit later, as a debit never changes. */
export class Migration20261127170000_debit_absent extends Migration {
  override name = 'Migration20261127170000_debit_absent';

  override up(): void {
    this
      .addSql(`create trigger requests_debit_absent before update of transaction_id, leg, account_id, debited_nanos, sequence, balance_after_nanos,
      hash on requests for each row when (old.sequence is null) execute function ledger_refuse_change()`);
  }

  override down(): void {
    this.addSql('drop trigger requests_debit_absent on requests');
  }
}
