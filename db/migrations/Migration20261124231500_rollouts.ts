import { Migration } from '@mikro-orm/migrations';

/** How an approved version becomes the one that runs get: at once, step by step, or after its notice. */
export class Migration20261124231500_rollouts extends Migration {
  override name = 'Migration20261124231500_rollouts';

  override up(): void {
    this.addSql(
      `alter table "deployments" add column "rollout_state" text null, add column "rollout_percentage" int not null default 100, add column "rollout_started_at" timestamptz null, add column "effective_at" timestamptz null, add column "rollout_reason" text null, add column "announced_at" timestamptz null, add column "rollout_checked_at" timestamptz null`,
    );
    this.addSql(
      `alter table "deployments" add constraint "deployments_rollout_check" check (rollout_state in ('scheduled', 'rolling', 'complete', 'rolled_back')), add constraint "deployments_percentage_check" check (rollout_percentage >= 1 and rollout_percentage <= 100), add constraint "deployments_effective_check" check (rollout_state <> 'scheduled' or effective_at is not null)`,
    );
    this.addSql('drop index deployments_live_unique');
    this.addSql(
      `create unique index deployments_live_unique on deployments (agent_id, visibility) where status in ('active', 'suspended') and coalesce(rollout_state, 'complete') = 'complete'`,
    );
    this.addSql(
      `create unique index deployments_rollout_unique on deployments (agent_id) where status = 'active' and rollout_state in ('scheduled', 'rolling')`,
    );
  }
}
