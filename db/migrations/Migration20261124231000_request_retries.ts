import { Migration } from '@mikro-orm/migrations';

/** How many retries were answered with the answer of a call. */
export class Migration20261124231000_request_retries extends Migration {
  override name = 'Migration20261124231000_request_retries';

  override up(): void {
    this.addSql(
      `create table "request_retries" ("request_id" text not null, "workspace_id" text not null, "retries" int not null, primary key ("request_id"));`,
    );
    this.addSql('alter table request_retries enable row level security');
    this.addSql('alter table request_retries force row level security');
    this.addSql('create policy system on request_retries to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on request_retries for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on request_retries to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on request_retries to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table request_retries');
  }
}
