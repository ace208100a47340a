import { Migration } from '@mikro-orm/migrations';

const TABLES = ['identity_providers', 'mail_domains', 'session_rules', 'audit_exports'];

/** Identity providers of workspaces, their domains, what they ask of sessions, and where their audit goes. */
export class Migration20261127060000_single_sign_on extends Migration {
  override name = 'Migration20261127060000_single_sign_on';

  override up(): void {
    this.addSql(
      `create table "identity_providers" ("id" text not null, "workspace_id" text not null, "kind" text not null, "name" text not null, "issuer" text not null, "configuration" jsonb not null, "sealed_secret" text null, "groups_name" text null, "group_roles" jsonb not null default '[]', "default_role" text null, "enforced" boolean not null default false, "tested_at" timestamptz null, "trial_state" text null, "trial" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "identity_providers" add constraint "identity_providers_workspace_id_unique" unique ("workspace_id");`,
    );
    this.addSql(
      `alter table "identity_providers" add constraint "identity_providers_kind_check" check (kind in ('oidc', 'saml'));`,
    );
    this.addSql(
      `alter table "identity_providers" add constraint "identity_providers_default_role_check" check (default_role in ('owner', 'developer', 'finance', 'publisher'));`,
    );
    this.addSql(
      `alter table "identity_providers" add constraint "identity_providers_enforced_check" check (not enforced or tested_at is not null);`,
    );
    this.addSql(
      `create table "mail_domains" ("id" text not null, "workspace_id" text not null, "domain" text not null, "token" text not null, "verified_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "mail_domains" add constraint "mail_domains_workspace_id_domain_unique" unique ("workspace_id", "domain");`,
    );
    this.addSql(
      'create unique index mail_domains_verified_index on mail_domains (domain) where verified_at is not null;',
    );
    this.addSql(
      `create table "session_rules" ("workspace_id" text not null, "requires_second_factor" boolean not null default false, "session_minutes" int null, "idle_minutes" int null, "updated_at" timestamptz not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(
      `alter table "session_rules" add constraint "session_rules_times_check" check (session_minutes > 0 and idle_minutes > 0);`,
    );
    this.addSql(
      `create table "audit_exports" ("workspace_id" text not null, "target" text not null, "sealed_url" text not null, "period" text not null, "exported_until" timestamptz not null, "last_object" text null, "last_entries" int null, "last_error" text null, "tried_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(
      `alter table "audit_exports" add constraint "audit_exports_period_check" check (period in ('hour', 'day'));`,
    );
    for (const table of TABLES) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    // How a session began; of a workspace's identity provider: the only workspace that it opens.
    this.addSql(
      'alter table "user_sessions" add column "method" text null, add column "sso_workspace_id" text null, add column "used_at" timestamptz null;',
    );
  }

  override down(): void {
    this.addSql(
      'alter table "user_sessions" drop column "method", drop column "sso_workspace_id", drop column "used_at"',
    );
    for (const table of TABLES) this.addSql(`drop table ${table}`);
  }
}
