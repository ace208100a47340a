import { Migration } from '@mikro-orm/migrations';

/** Which of several equal tries of a call runs: one row for each call that runs under an idempotency key or as a retry. */
export class Migration20261125220000_call_claims extends Migration {
  override name = 'Migration20261125220000_call_claims';

  override up(): void {
    this.addSql(
      `create table "call_claims" ("workspace_id" text not null, "fingerprint" text not null, "request_id" text not null, "body_hash" text null, "process_id" text not null, "claimed_at" timestamptz not null default clock_timestamp(), primary key ("workspace_id", "fingerprint"));`,
    );
    this.addSql('alter table call_claims enable row level security');
    this.addSql('alter table call_claims force row level security');
    this.addSql('create policy system on call_claims to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on call_claims for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on call_claims to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on call_claims to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table call_claims');
  }
}
