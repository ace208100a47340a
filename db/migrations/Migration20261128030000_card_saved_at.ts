import { Migration } from '@mikro-orm/migrations';

/** When a card was saved: an event of an earlier one that comes late does not replace it. */
export class Migration20261128030000_card_saved_at extends Migration {
  override name = 'Migration20261128030000_card_saved_at';

  override up(): void {
    this.addSql('alter table payment_customers add column card_saved_at timestamptz null');
  }

  override down(): void {
    this.addSql('alter table payment_customers drop column card_saved_at');
  }
}
