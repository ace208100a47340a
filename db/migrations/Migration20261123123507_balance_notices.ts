import { Migration } from '@mikro-orm/migrations';

/** Which workspaces were told that their balance is low or used up. */
export class Migration20261123123507_balance_notices extends Migration {
  override name = 'Migration20261123123507_balance_notices';

  override up(): void {
    this.addSql(
      `create table "balance_notices" ("workspace_id" text not null, "level" text not null, primary key ("workspace_id"), constraint "balance_notices_level_check" check (level in ('low', 'depleted')));`,
    );
    this.addSql('alter table balance_notices enable row level security');
    this.addSql('alter table balance_notices force row level security');
    this.addSql('create policy system on balance_notices to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on balance_notices to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table balance_notices');
  }
}
