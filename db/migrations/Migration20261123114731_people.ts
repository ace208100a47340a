import { Migration } from '@mikro-orm/migrations';

const TABLES: Record<string, { columns: string; unique?: string[]; indexes?: string[] }> = {
  users: {
    columns: `"name" text not null, "email" text not null, "email_verified" boolean not null default false, "image" text null, "two_factor_enabled" boolean not null default false, "is_operator" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now()`,
    unique: ['email'],
  },
  user_sessions: {
    columns: `"user_id" text not null, "token" text not null, "expires_at" timestamptz not null, "ip_address" text null, "user_agent" text null, "active_workspace_id" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now()`,
    unique: ['token'],
    indexes: ['user_id'],
  },
  credentials: {
    columns: `"user_id" text not null, "account_id" text not null, "provider_id" text not null, "password" text null, "access_token" text null, "refresh_token" text null, "id_token" text null, "access_token_expires_at" timestamptz null, "refresh_token_expires_at" timestamptz null, "scope" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now()`,
    indexes: ['user_id'],
  },
  verifications: {
    columns: `"identifier" text not null, "value" text not null, "expires_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now()`,
    indexes: ['identifier'],
  },
  two_factors: {
    columns: `"user_id" text not null, "secret" text not null, "backup_codes" text not null, "verified" boolean not null default true, "failed_verification_count" int not null default 0, "locked_until" timestamptz null`,
    indexes: ['user_id'],
  },
  passkeys: {
    columns: `"user_id" text not null, "name" text null, "public_key" text not null, "credential_id" text not null, "counter" int not null, "device_type" text not null, "backed_up" boolean not null, "transports" text null, "aaguid" text null, "created_at" timestamptz not null default now()`,
    unique: ['credential_id'],
    indexes: ['user_id'],
  },
  members: {
    columns: `"workspace_id" text not null, "user_id" text not null, "role" text not null, "created_at" timestamptz not null default now(), constraint "members_role_check" check (role in ('owner', 'developer', 'finance', 'publisher'))`,
    indexes: ['user_id'],
  },
  invitations: {
    columns: `"workspace_id" text not null, "email" text not null, "role" text null, "status" text not null, "expires_at" timestamptz not null, "inviter_id" text not null, "created_at" timestamptz not null default now()`,
    indexes: ['workspace_id', 'email'],
  },
  test_mails: {
    columns: `"recipient" text not null, "subject" text not null, "text" text not null, "created_at" timestamptz not null default now()`,
    indexes: ['created_at'],
  },
};

/** The people of the console: their sign-ins, their workspaces, and a key without a secret for what each of them uses there. */
export class Migration20261123114731_people extends Migration {
  override name = 'Migration20261123114731_people';

  override up(): void {
    for (const [table, { columns, unique = [], indexes = [] }] of Object.entries(TABLES)) {
      this.addSql(`create table ${table} ("id" text not null, ${columns}, primary key ("id"));`);
      for (const column of unique)
        this.addSql(`alter table ${table} add constraint ${table}_${column}_unique unique (${column});`);
      for (const column of indexes) this.addSql(`create index ${table}_${column}_index on ${table} (${column});`);
    }
    this.addSql(
      'alter table members add constraint members_workspace_id_user_id_unique unique (workspace_id, user_id);',
    );
    this.addSql(
      `create table throttles ("key" text not null, "count" int not null, "resets_at" timestamptz not null, primary key ("key"));`,
    );
    this.addSql('create index throttles_resets_at_index on throttles (resets_at);');
    // The role of tenants sees none of them: what a workspace reads of its people goes through its members.
    for (const table of [...Object.keys(TABLES), 'throttles']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    this.addSql('alter table api_keys add column member_user_id text null;');
    this.addSql(
      'create unique index api_keys_member_index on api_keys (workspace_id, member_user_id) where member_user_id is not null and revoked_at is null;',
    );
    this.addSql('alter table audit_entries alter column key_id drop not null, add column user_id text null;');
    this.addSql('grant update (name) on workspaces to ledgerline_system');
    // Signs cookies, and encrypts second factors.
    this.addSql(
      `insert into secrets (name, value) values ('accounts', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid(), 'UTF8')))`,
    );
  }
}
