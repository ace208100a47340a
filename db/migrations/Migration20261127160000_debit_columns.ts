import { Migration } from '@mikro-orm/migrations';

/**
 * A call's row is its debit too: the number and the hash of the entry, in 70 bytes instead of a row of 380 with its indexes. Null for a call
 * that was not charged, and for earlier ones, whose debits stay where they are.
 */
export class Migration20261127160000_debit_columns extends Migration {
  override name = 'Migration20261127160000_debit_columns';

  override up(): void {
    this.addSql(`alter table requests add column transaction_id bigint null, add column debited_nanos bigint null,
      add column sequence bigint null, add column balance_after_nanos bigint null, add column leg int null, add column account_id text null,
      add column hash bytea null`);
  }

  override down(): void {
    this.addSql(`alter table requests drop column transaction_id, drop column debited_nanos, drop column sequence,
      drop column balance_after_nanos, drop column leg, drop column account_id, drop column hash`);
  }
}
