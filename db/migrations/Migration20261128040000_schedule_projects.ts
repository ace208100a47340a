import { Migration } from '@mikro-orm/migrations';

/** Readers limited to projects see the schedules of keys that they see: those keys pay, and a schedule tells what it orders. */
export class Migration20261128040000_schedule_projects extends Migration {
  override name = 'Migration20261128040000_schedule_projects';

  override up(): void {
    this.addSql(
      `create policy projects on schedules as restrictive for select to ledgerline_tenant using (${IS_SEEN})`,
    );
  }

  override down(): void {
    this.addSql('drop policy projects on schedules');
  }
}

const LIMIT = `select coalesce(current_setting('app.project_ids', true), '')`;
// The policy of keys applies to this reader too.
const IS_SEEN = `case when (${LIMIT}) = '' then true else exists (select from api_keys where api_keys.id = key_id) end`;
