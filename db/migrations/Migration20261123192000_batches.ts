import { Migration } from '@mikro-orm/migrations';

/** Batches of calls, and the results of their lines until their files are written. */
export class Migration20261123192000_batches extends Migration {
  override name = 'Migration20261123192000_batches';

  override up(): void {
    this.addSql(
      `create table "batches" ("id" text not null, "workspace_id" text not null, "key_id" text not null, "endpoint" text not null, "input_file_id" text not null, "status" text not null default 'validating', "metadata" jsonb null, "output_seconds" int not null, "errors" jsonb null, "total" int not null default 0, "completed" int not null default 0, "failed" int not null default 0, "input_tokens" bigint not null default '0', "cached_tokens" bigint not null default '0', "output_tokens" bigint not null default '0', "reasoning_tokens" bigint not null default '0', "cost_nanos" bigint not null default '0', "output_file_id" text null, "error_file_id" text null, "workflow_started_at" timestamptz null, "created_at" timestamptz not null default now(), "expires_at" timestamptz not null, "in_progress_at" timestamptz null, "finalizing_at" timestamptz null, "cancelling_at" timestamptz null, "ended_at" timestamptz null, primary key ("id"), constraint "batches_status_check" check (status in ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled')), constraint "batches_ended_check" check ((status in ('failed', 'completed', 'expired', 'cancelled')) = (ended_at is not null)));`,
    );
    this.addSql('create index batches_workspace_index on batches (workspace_id, created_at, id)');
    this.addSql('create index batches_open_index on batches (input_file_id) where ended_at is null');
    this.addSql(
      `create table "batch_results" ("batch_id" text not null, "line" int not null, "workspace_id" text not null, "is_failed" boolean not null, "request_id" text not null, "output" text not null, "bill" jsonb null, primary key ("batch_id", "line"));`,
    );
    for (const table of ['batches', 'batch_results']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
  }

  override down(): void {
    this.addSql('drop table batch_results');
    this.addSql('drop table batches');
  }
}
