import { Migration } from '@mikro-orm/migrations';

/** Runs that repeat another one from a step on, and what steps of tools added to the output, which they reuse. */
export class Migration20261124222500_reruns extends Migration {
  override name = 'Migration20261124222500_reruns';

  override up(): void {
    this.addSql('alter table runs add column rerun_of text null, add column rerun_from_step int null');
    this.addSql('alter table run_steps add column output jsonb null, add column reused_from text null');
    this.addSql('alter table sessions add column origin_run_id text null');
  }

  override down(): void {
    this.addSql('alter table runs drop column rerun_of, drop column rerun_from_step');
    this.addSql('alter table run_steps drop column output, drop column reused_from');
    this.addSql('alter table sessions drop column origin_run_id');
  }
}
