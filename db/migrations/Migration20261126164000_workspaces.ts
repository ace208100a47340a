import { Migration } from '@mikro-orm/migrations';

/** Logos of workspaces. */
export class Migration20261126164000_workspaces extends Migration {
  override name = 'Migration20261126164000_workspaces';

  override up(): void {
    this.addSql(
      'alter table "workspaces" add column "logo_file_id" text null, add column "logo_is_public" boolean not null default false;',
    );
    this.addSql('grant update (logo_file_id, logo_is_public) on workspaces to ledgerline_system');
  }

  override down(): void {
    this.addSql('alter table "workspaces" drop column "logo_file_id", drop column "logo_is_public";');
  }
}
