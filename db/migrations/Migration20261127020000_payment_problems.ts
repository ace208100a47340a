import { Migration } from '@mikro-orm/migrations';

/** What operators have to look at is found without reading every event and payout. */
export class Migration20261127020000_payment_problems extends Migration {
  override name = 'Migration20261127020000_payment_problems';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // Of an attempt that failed.
    this.addSql('drop index concurrently if exists payment_events_uncredited_index');
    this.addSql('drop index concurrently if exists payouts_requested_index');
    this.addSql(
      "create index concurrently payment_events_uncredited_index on payment_events (received_at) where outcome in ('mismatch', 'unknown')",
    );
    this.addSql("create index concurrently payouts_requested_index on payouts (created_at) where status = 'requested'");
  }

  override down(): void {
    this.addSql('drop index concurrently if exists payment_events_uncredited_index');
    this.addSql('drop index concurrently if exists payouts_requested_index');
  }
}
