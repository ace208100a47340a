import { Migration } from '@mikro-orm/migrations';

/** Runs that agents start for other runs, out of their money. */
export class Migration20261124231500_child_runs extends Migration {
  override name = 'Migration20261124231500_child_runs';

  override up(): void {
    this.addSql(
      `alter table runs add column parent_run_id text null, add column parent_step int null, add column depth int not null default 0,
         add column children_nanos bigint not null default '0'`,
    );
    this.addSql('create index runs_parent_index on runs (parent_run_id, parent_step) where parent_run_id is not null');
  }

  override down(): void {
    this.addSql(
      'alter table runs drop column parent_run_id, drop column parent_step, drop column depth, drop column children_nanos',
    );
  }
}
