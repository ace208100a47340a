import { Migration } from '@mikro-orm/migrations';

/** Calls that were refused or failed before they had a bill: why, for a week. */
export class Migration20261125223000_refused_calls extends Migration {
  override name = 'Migration20261125223000_refused_calls';

  override up(): void {
    this.addSql(
      `create table "refused_calls" ("id" text not null, "workspace_id" text not null, "key_id" text not null, "route" text not null, "model" text null, "status" int not null, "code" text not null, "message" text not null, "duration_ms" int not null, "calls" int not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql('create index refused_calls_workspace_index on refused_calls (workspace_id, created_at desc, id desc)');
    this.addSql(`create index "refused_calls_expires_at_index" on "refused_calls" ("expires_at");`);
    this.addSql('alter table refused_calls enable row level security');
    this.addSql('alter table refused_calls force row level security');
    this.addSql('create policy system on refused_calls to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on refused_calls for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on refused_calls to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on refused_calls to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table refused_calls');
  }
}
