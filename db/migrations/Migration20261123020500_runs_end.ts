import { Migration } from '@mikro-orm/migrations';

/** What runs said is deleted when its time has come or its owner wishes it; what they cost stays. A revoked key may leave its runs alone. */
export class Migration20261123020500_runs_end extends Migration {
  override name = 'Migration20261123020500_runs_end';

  override up(): void {
    this.addSql('alter table runs add column content_deleted_at timestamptz, add column deleted_at timestamptz');
    this.addSql('create index runs_content_index on runs (settled_at) where content_deleted_at is null');
    this.addSql('alter table api_keys add column keeps_runs boolean not null default false');
    this.addSql('grant delete on run_steps to ledgerline_system');
  }
}
