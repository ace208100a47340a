import { Migration } from '@mikro-orm/migrations';

/** The most that the lines of a batch can cost. */
export class Migration20261123235000_batch_estimates extends Migration {
  override name = 'Migration20261123235000_batch_estimates';

  override up(): void {
    this.addSql('alter table "batches" add column "worst_case_nanos" bigint null');
  }
}
