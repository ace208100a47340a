import { Migration } from '@mikro-orm/migrations';

/**
 * A test clock moves from one due time to the next: `clock_target_seconds` is where it is going, `clock_followed_to` the time up to which its
 * schedules have fired.
 */
export class Migration20261125092700_test_clock_moves extends Migration {
  override name = 'Migration20261125092700_test_clock_moves';

  override up(): void {
    this.addSql(
      `alter table workspaces add column clock_target_seconds bigint not null default '0', add column clock_followed_to timestamptz null`,
    );
    this.addSql('grant update (clock_target_seconds, clock_followed_to) on workspaces to ledgerline_system');
  }

  override down(): void {
    this.addSql('alter table workspaces drop column clock_target_seconds, drop column clock_followed_to');
  }
}
