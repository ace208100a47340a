import { Migration } from '@mikro-orm/migrations';

const HOUSE = [
  ...['revenue', 'write_off', 'payments', 'adjustments', 'network_fee', 'payable', 'run_costs', 'subsidies'],
  ...['absorbed', 'consumed'],
];

/**
 * Test workspaces: each belongs to a live one, has an account of its own, and pays into house accounts of its own. Its id begins with
 * `wst_`, so that its mode is known without a look-up.
 */
export class Migration20261125023700_test_mode extends Migration {
  override name = 'Migration20261125023700_test_mode';

  override up(): void {
    this.addSql(
      `alter table workspaces add column live_workspace_id text null, add column clock_seconds bigint not null default '0'`,
    );
    this.addSql('create unique index workspaces_live_index on workspaces (live_workspace_id)');
    this.addSql(
      `alter table workspaces add constraint workspaces_mode_check check ((live_workspace_id is not null) = starts_with(id, 'wst_') and (clock_seconds = 0 or live_workspace_id is not null) and clock_seconds >= 0)`,
    );
    this.addSql('grant update (clock_seconds) on workspaces to ledgerline_system');
    for (const account of HOUSE) this.addSql(`insert into accounts (id, kind) values ('test_${account}', 'house')`);
  }

  override down(): void {
    this.addSql('alter table workspaces drop constraint workspaces_mode_check');
    this.addSql('alter table workspaces drop column live_workspace_id, drop column clock_seconds');
  }
}
