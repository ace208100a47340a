import { Migration } from '@mikro-orm/migrations';

/** The project of each speech: readers limited to projects see the history of these alone, as they do of requests. */
export class Migration20261127223000_speech_projects extends Migration {
  override name = 'Migration20261127223000_speech_projects';

  override up(): void {
    this.addSql('alter table "speech_history" add column "project_id" text null');
    this.addSql(
      `create policy projects on speech_history as restrictive for select to ledgerline_tenant using (${IS_SEEN})`,
    );
  }

  override down(): void {
    this.addSql('drop policy projects on speech_history');
    this.addSql('alter table speech_history drop column project_id');
  }
}

const LIMIT = `select coalesce(current_setting('app.project_ids', true), '')`;
const IS_SEEN = `case when (${LIMIT}) = '' then true else coalesce(project_id = any (string_to_array((${LIMIT}), ',')), false) end`;
