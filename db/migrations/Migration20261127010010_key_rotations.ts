import { Migration } from '@mikro-orm/migrations';

/** How far a rotation of the installation's secrets has come, and the versions of those that the database holds. */
export class Migration20261127010010_key_rotations extends Migration {
  override name = 'Migration20261127010010_key_rotations';

  override up(): void {
    this.addSql(
      `create table "key_rotations" ("id" text not null, "began_at" timestamptz not null default now(), "switched" jsonb not null default '{}', "finished_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql('create unique index "key_rotations_open_index" on "key_rotations" ((true)) where finished_at is null');
    this.addSql(
      `create table "secret_versions" ("name" text not null, "version" int not null, "value" bytea not null, "signs_at" timestamptz not null, "created_at" timestamptz not null default now(), primary key ("name", "version"));`,
    );
    for (const table of ['key_rotations', 'secret_versions']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
    }
    this.addSql('grant select, insert, update on key_rotations to ledgerline_system');
    this.addSql('grant select, insert, delete on secret_versions to ledgerline_system');
    this.addSql('grant delete on secrets to ledgerline_system');
    this.addSql('grant update (sealed) on request_contents to ledgerline_system');
  }

  override down(): void {
    this.addSql('revoke update (sealed) on request_contents from ledgerline_system');
    this.addSql('revoke delete on secrets from ledgerline_system');
    for (const table of ['secret_versions', 'key_rotations']) this.addSql(`drop table ${table}`);
  }
}
