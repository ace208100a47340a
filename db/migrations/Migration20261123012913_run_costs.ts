import { Migration } from '@mikro-orm/migrations';

/** What runs cost the platform: paid before publisher and network fee, or subsidised where an operator grants it. */
export class Migration20261123012913_run_costs extends Migration {
  override name = 'Migration20261123012913_run_costs';

  override up(): void {
    this.addSql(`insert into accounts (id, kind) values ('run_costs', 'house'), ('subsidies', 'house')`);
    this.addSql(`alter table "agents" add column "subsidised_at" timestamptz null`);
    this.addSql(
      `alter table "runs" add column "platform_cost_nanos" bigint not null default '0', add column "subsidy_nanos" bigint not null default '0'`,
    );
    this.addSql(`alter table "runs" drop constraint "runs_cost_check"`);
    this.addSql(
      `alter table "runs" add constraint "runs_cost_check" check (total_nanos = subtotal_nanos + network_fee_nanos and total_nanos <= max_cost_nanos and absorbed_nanos >= 0 and subsidy_nanos >= 0 and subsidy_nanos <= platform_cost_nanos)`,
    );
    this.addSql(
      `create index runs_publisher_settled_index on runs (publisher_workspace_id, settled_at) where settled_at is not null`,
    );
    // With other parameters it is another function.
    this.addSql(`drop function ledger_settle_run(text, text, bigint, bigint, text, bigint)`);
  }
}
