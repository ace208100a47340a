import { Migration } from '@mikro-orm/migrations';

/** What a payout was made of: until when the earnings had matured, from when they are, and whose payments they came from. */
export class Migration20261125222000_payout_sources extends Migration {
  override name = 'Migration20261125222000_payout_sources';

  override up(): void {
    this.addSql(
      `alter table "payouts" add column "matured_before" timestamptz null, add column "earned_from" timestamptz null, add column "earned_until" timestamptz null, add column "sources" jsonb null;`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "payouts" drop column "matured_before", drop column "earned_from", drop column "earned_until", drop column "sources";`,
    );
  }
}
