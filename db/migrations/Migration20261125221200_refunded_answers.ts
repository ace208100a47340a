import { Migration } from '@mikro-orm/migrations';

/** A refund deletes the kept answer: a retry would get it for nothing. */
export class Migration20261125221200_refunded_answers extends Migration {
  override name = 'Migration20261125221200_refunded_answers';

  override up(): void {
    this.addSql('grant delete on answer_parts to ledgerline_system');
  }

  override down(): void {
    this.addSql('revoke delete on answer_parts from ledgerline_system');
  }
}
