import { Migration } from '@mikro-orm/migrations';

/** Steps keep why their last attempt failed, and when the next one begins. */
export class Migration20261123216000_step_details extends Migration {
  override name = 'Migration20261123216000_step_details';

  override up(): void {
    this.addSql('alter table run_steps add column error_code text null, add column retry_at timestamptz null');
  }

  override down(): void {
    this.addSql('alter table run_steps drop column error_code, drop column retry_at');
  }
}
