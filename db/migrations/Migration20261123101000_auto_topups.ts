import { Migration } from '@mikro-orm/migrations';

/** When the saved card of a workspace pays by itself. */
export class Migration20261123101000_auto_topups extends Migration {
  override name = 'Migration20261123101000_auto_topups';

  override up(): void {
    this.addSql(
      `alter table payment_customers add column threshold_nanos bigint null, add column amount_nanos bigint null, add column monthly_cap_nanos bigint null, add column decline_count int not null default 0, add column retry_at timestamptz null;`,
    );
    // One order of a card at a time, also for two workers.
    this.addSql(
      `create unique index topups_one_auto_index on topups (workspace_id) where origin = 'auto' and status in ('open', 'processing');`,
    );
  }
}
