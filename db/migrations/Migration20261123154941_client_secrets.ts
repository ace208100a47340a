import { Migration } from '@mikro-orm/migrations';

/** Secrets that open realtime sockets in the name of a key: for browsers. */
export class Migration20261123154941_client_secrets extends Migration {
  override name = 'Migration20261123154941_client_secrets';

  override up(): void {
    this.addSql(
      `create table "client_secrets" ("id" text not null, "workspace_id" text not null, "key_id" text not null, "hash" bytea not null, "session" jsonb not null, "max_session_seconds" int null, "spend_limit_nanos" bigint null, "sessions_max" int null, "sessions" int not null default 0, "spent_nanos" bigint not null default '0', "created_at" timestamptz not null default now(), "expires_at" timestamptz not null, primary key ("id"), constraint "client_secrets_sessions_check" check (sessions >= 0 and (sessions_max is null or sessions <= sessions_max)));`,
    );
    this.addSql('alter table "client_secrets" add constraint "client_secrets_hash_unique" unique ("hash")');
    this.addSql('create index "client_secrets_expires_at_index" on "client_secrets" ("expires_at")');
    this.addSql('alter table client_secrets enable row level security');
    this.addSql('alter table client_secrets force row level security');
    this.addSql('create policy system on client_secrets to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on client_secrets to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table client_secrets');
  }
}
