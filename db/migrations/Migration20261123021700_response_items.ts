import { Migration } from '@mikro-orm/migrations';

export class Migration20261123021700_response_items extends Migration {
  override name = 'Migration20261123021700_response_items';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "response_items" ("id" text not null, "workspace_id" text not null, "item" text not null, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "response_items_expires_at_index" on "response_items" ("expires_at");`);
    this.addSql('alter table response_items enable row level security');
    this.addSql('alter table response_items force row level security');
    this.addSql('create policy system on response_items to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on response_items for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on response_items to ledgerline_tenant');
    this.addSql('grant select, insert, delete on response_items to ledgerline_system');
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "response_items" cascade;`);
  }
}
