import { Migration } from '@mikro-orm/migrations';

/** Prices of runs that are promised for some minutes. */
export class Migration20261124224500_run_quotes extends Migration {
  override name = 'Migration20261124224500_run_quotes';

  override up(): void {
    this.addSql(
      `create table "run_quotes" ("id" text not null, "workspace_id" text not null, "agent" text not null, "version_id" text not null, "visibility" text not null, "rate_card" jsonb not null, "created_at" timestamptz not null default now(), "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql('create index run_quotes_expiry_index on run_quotes (expires_at)');
    this.addSql('alter table run_quotes enable row level security');
    this.addSql('alter table run_quotes force row level security');
    this.addSql('create policy system on run_quotes to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on run_quotes for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on run_quotes to ledgerline_tenant');
    this.addSql('grant select, insert, delete on run_quotes to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table run_quotes');
  }
}
