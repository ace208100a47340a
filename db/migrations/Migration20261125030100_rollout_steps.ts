import { Migration } from '@mikro-orm/migrations';

/** The steps of a rollout, with what each saw, and when the present one began. */
export class Migration20261125030100_rollout_steps extends Migration {
  override name = 'Migration20261125030100_rollout_steps';

  override up(): void {
    this.addSql(
      'alter table "deployments" add column "rollout_steps" jsonb null, add column "rollout_step_started_at" timestamptz null',
    );
  }
}
