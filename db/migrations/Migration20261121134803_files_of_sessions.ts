import { Migration } from '@mikro-orm/migrations';

/** Files know the session that they were made for; and a finished upload may be given its final id, together with its bytes. */
export class Migration20261121134803_files_of_sessions extends Migration {
  override name = 'Migration20261121134803_files_of_sessions';

  override up(): void | Promise<void> {
    this.addSql(`alter table "files" add "session_id" text null;`);
    this.addSql('grant update (file_id) on file_chunks to ledgerline_system');
  }

  override down(): void | Promise<void> {
    this.addSql('revoke update (file_id) on file_chunks from ledgerline_system');
    this.addSql(`alter table "files" drop column "session_id";`);
  }
}
