import { Migration } from '@mikro-orm/migrations';

export class Migration20261121104658_tables extends Migration {
  override name = 'Migration20261121104658_tables';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "accounts" ("id" text not null, "workspace_id" text null, "kind" text not null, "posted_nanos" bigint not null default '0', "entry_count" bigint not null default '0', "head_hash" bytea null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "accounts" add constraint "accounts_workspace_id_unique" unique ("workspace_id");`);

    this.addSql(
      `create table "api_keys" ("id" text not null, "workspace_id" text not null, "account_id" text not null, "name" text not null, "hash" bytea not null, "prefix" text not null, "scopes" text[] not null, "spend_limit_nanos" bigint null, "spend_limit_period" text null, "rpm_limit" int null, "concurrency_limit" int null, "created_at" timestamptz not null default now(), "last_used_at" timestamptz null, "expires_at" timestamptz null, "revoked_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "api_keys_workspace_id_index" on "api_keys" ("workspace_id");`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_hash_unique" unique ("hash");`);

    this.addSql(
      `create table "holds" ("id" text not null, "workspace_id" text not null, "account_id" text not null, "key_id" text not null, "process_id" text not null, "kind" text not null, "amount_nanos" bigint not null, "partial" boolean not null default false, "state" text not null default 'open', "day" date not null, "created_at" timestamptz not null default now(), "ended_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index holds_open_account_index on holds (account_id) where state = 'open';`);
    this.addSql(`create index holds_open_process_index on holds (process_id) where state = 'open';`);

    this.addSql(
      `create table "key_days" ("key_id" text not null, "day" date not null, "workspace_id" text not null, "spent_nanos" bigint not null default '0', primary key ("key_id", "day"));`,
    );

    this.addSql(
      `create table "ledger_entries" ("transaction_id" bigint not null, "leg" int not null, "account_id" text not null, "workspace_id" text null, "kind" text not null, "subject" text not null, "amount_nanos" bigint not null, "sequence" bigint null, "balance_after_nanos" bigint null, "hash" bytea null, "key_id" text null, "created_at" timestamptz not null default now(), primary key ("kind", "subject"));`,
    );
    this.addSql(
      `alter table "ledger_entries" add constraint "ledger_entries_account_sequence_unique" unique ("account_id", "sequence");`,
    );

    this.addSql(
      `create table "processes" ("id" text not null, "started_at" timestamptz not null default now(), "lease_until" timestamptz not null, "reaped_at" timestamptz null, primary key ("id"));`,
    );

    this.addSql(
      `create table "requests" ("id" text not null, "workspace_id" text not null, "key_id" text not null, "route" text not null, "model" text not null, "status" int not null, "cancelled" boolean not null, "usage" jsonb not null, "cost_nanos" bigint not null, "written_off_nanos" bigint not null, "hold_nanos" bigint not null, "started_at" timestamptz not null, "first_byte_ms" int null, "duration_ms" int not null, "stream_bytes" int not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "request_progress" ("request_id" text not null, "process_id" text not null, "settlement" jsonb not null, "updated_at" timestamptz not null default now(), primary key ("request_id"));`,
    );
    this.addSql(`create index "request_progress_process_id_index" on "request_progress" ("process_id");`);

    this.addSql(
      `create table "workspaces" ("id" text not null, "name" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );

    this.addSql(`alter table "accounts" add constraint "accounts_kind_check" check (kind in ('customer', 'house'));`);
    this.addSql(
      `alter table "accounts" add constraint "accounts_customer_check" check (kind = 'house' or (posted_nanos >= 0 and workspace_id is not null));`,
    );

    this.addSql(
      `alter table "api_keys" add constraint "api_keys_period_check" check (spend_limit_period in ('daily', 'monthly'));`,
    );
    this.addSql(
      `alter table "api_keys" add constraint "api_keys_limits_check" check (spend_limit_nanos >= 0 and rpm_limit > 0 and concurrency_limit > 0);`,
    );

    this.addSql(`alter table "holds" add constraint "holds_amount_check" check (amount_nanos >= 0);`);
    this.addSql(`alter table "holds" add constraint "holds_kind_check" check (kind in ('slice', 'request'));`);
    this.addSql(
      `alter table "holds" add constraint "holds_state_check" check (state in ('open', 'settled', 'released'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "accounts" cascade;`);
    this.addSql(`drop table if exists "api_keys" cascade;`);
    this.addSql(`drop table if exists "holds" cascade;`);
    this.addSql(`drop table if exists "key_days" cascade;`);
    this.addSql(`drop table if exists "ledger_entries" cascade;`);
    this.addSql(`drop table if exists "processes" cascade;`);
    this.addSql(`drop table if exists "requests" cascade;`);
    this.addSql(`drop table if exists "request_progress" cascade;`);
    this.addSql(`drop table if exists "workspaces" cascade;`);
  }
}
