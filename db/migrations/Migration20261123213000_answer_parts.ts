import { Migration } from '@mikro-orm/migrations';

/**
 * Kept answers. Three unlogged parts in turn, ten minutes each: what is old is forgotten by emptying a part, which costs the same however
 * much it holds. The bytes are stored as they are, because compressing them would cost more than the settlement beside them.
 */
export class Migration20261123213000_answer_parts extends Migration {
  override name = 'Migration20261123213000_answer_parts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "answer_parts" ("slot" smallint not null, "request_id" text not null, "part" int not null, "workspace_id" text not null, "fingerprint" text null, "state" text not null, "bytes" bytea not null, "replays" int not null default 0, "created_at" timestamptz not null default clock_timestamp(), primary key ("slot", "request_id", "part")) partition by list (slot);`,
    );
    this.addSql('alter table answer_parts alter column bytes set storage external');
    for (const slot of [0, 1, 2]) {
      this.addSql(`create unlogged table answer_parts_${slot} partition of answer_parts for values in (${slot})`);
    }
    this.addSql(`create index "answer_parts_request_id_index" on "answer_parts" ("request_id", "part");`);
    this.addSql(
      'create index answer_parts_fingerprint_index on answer_parts (fingerprint) where fingerprint is not null',
    );
    for (const table of ['answer_parts', 'answer_parts_0', 'answer_parts_1', 'answer_parts_2']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(`grant select, insert, update, truncate on ${table} to ledgerline_system`);
    }
    this.addSql(
      `create policy tenant on answer_parts for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on answer_parts to ledgerline_tenant');
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "answer_parts" cascade;`);
  }
}
