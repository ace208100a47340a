import { Migration } from '@mikro-orm/migrations';

/** A model has one first price. The index is built while the table is read and written. */
export class Migration20261126212010_first_price extends Migration {
  override name = 'Migration20261126212010_first_price';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table catalog_prices validate constraint catalog_prices_second_person_check');
    // Of an attempt that failed.
    this.addSql('drop index concurrently if exists catalog_prices_first_index');
    this.addSql('create unique index concurrently catalog_prices_first_index on catalog_prices (model) where is_first');
  }

  override down(): void {
    this.addSql('drop index concurrently if exists catalog_prices_first_index');
  }
}
