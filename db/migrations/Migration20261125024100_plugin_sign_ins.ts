import { Migration } from '@mikro-orm/migrations';

/** Sign-ins of workspaces to plugins, and those that are under way. Only the system reads them: they hold sealed tokens. */
export class Migration20261125024100_plugin_sign_ins extends Migration {
  override name = 'Migration20261125024100_plugin_sign_ins';

  override up(): void {
    this.addSql(`create table "plugin_sign_ins" (
      "workspace_id" text not null, "plugin_id" text not null, "plugin_version" text not null, "url" text not null, "issuer" text not null, "state" text not null,
      "sealed" text not null, "version" int not null default 1, "expires_at" timestamptz null, "renewing_until" timestamptz null,
      "scope" text null, "account" text null, "user_id" text not null, "connected_at" timestamptz not null default now(),
      primary key ("workspace_id", "plugin_id"),
      constraint "plugin_sign_ins_state_check" check (state in ('connected', 'ended', 'revoking'))
    );`);
    this.addSql(`create table "plugin_sign_in_attempts" (
      "id" text not null, "workspace_id" text not null, "plugin_id" text not null, "plugin_version" text not null, "user_id" text not null,
      "session_id" text not null, "state_hash" text not null, "redirect_url" text not null, "state" text not null default 'begun',
      "authorization_url" text null, "sealed" text null, "answer" text null, "failure" text null,
      "expires_at" timestamptz not null, "created_at" timestamptz not null default now(), primary key ("id"),
      constraint "plugin_sign_in_attempts_state_check" check (state in ('begun', 'asked', 'answered', 'connected', 'failed'))
    );`);
    this.addSql(
      `create index "plugin_sign_in_attempts_workspace_id_index" on "plugin_sign_in_attempts" ("workspace_id");`,
    );
    this.addSql(
      `alter table "plugin_sign_in_attempts" add constraint "plugin_sign_in_attempts_state_hash_unique" unique ("state_hash");`,
    );
    this.addSql('create index plugin_sign_in_attempts_expires_index on plugin_sign_in_attempts (expires_at);');
    for (const table of ['plugin_sign_ins', 'plugin_sign_in_attempts']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    this.addSql('alter table "plugins" add column "sign_in" jsonb null');
  }

  override down(): void {
    this.addSql('alter table "plugins" drop column "sign_in"');
    this.addSql('drop table plugin_sign_in_attempts');
    this.addSql('drop table plugin_sign_ins');
  }
}
