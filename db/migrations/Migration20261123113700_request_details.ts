import { Migration } from '@mikro-orm/migrations';

const MEMBERS = ['upstream text', 'attempts int', 'finish text', 'cached int', 'reasoning int', 'price text'];

/**
 * Requests keep how they were answered, by which price row, and when they were settled. Batches that wait are rewritten: their text lacks
 * the new members.
 */
export class Migration20261123113700_request_details extends Migration {
  override name = 'Migration20261123113700_request_details';

  override up(): void {
    this.addSql(
      'create temporary table waiting_batches on commit drop as select id, array_to_json(settlements::ledger_settlement[]) as items from settlement_batches;',
    );
    this.addSql(`alter type ledger_settlement ${MEMBERS.map((member) => `add attribute ${member}`).join(', ')};`);
    this.addSql(
      'update settlement_batches b set settlements = array(select i from json_populate_recordset(null::ledger_settlement, w.items) i)::text from waiting_batches w where w.id = b.id;',
    );
    this.addSql(
      'alter table requests add column upstream text null, add column attempts smallint null, add column finish_reason text null, add column cached_tokens int null, add column reasoning_tokens int null, add column price_id text null, add column settled_at timestamptz null;',
    );
    this.addSql(
      `update requests r set settled_at = coalesce((select e.created_at from ledger_entries e where e.kind = 'debit' and e.subject = r.id), r.started_at + r.duration_ms * interval '1 ms');`,
    );
    this.addSql(
      'alter table requests alter column settled_at set not null, alter column settled_at set default now();',
    );
    this.addSql('create index requests_workspace_index on requests (workspace_id, settled_at desc, id desc);');
    this.addSql(
      'create index requests_failed_index on requests (workspace_id, settled_at desc, id desc) where status >= 400;',
    );
    this.addSql(
      'create table "model_prices" ("id" text not null, "model" text not null, "rates" jsonb not null, "valid_from" timestamptz not null default now(), primary key ("id"));',
    );
    this.addSql('alter table model_prices enable row level security');
    this.addSql('alter table model_prices force row level security');
    this.addSql('create policy system on model_prices to ledgerline_system using (true) with check (true)');
    // A price list belongs to no workspace.
    this.addSql('create policy tenant on model_prices for select to ledgerline_tenant using (true)');
    this.addSql('grant select on model_prices to ledgerline_tenant');
    this.addSql('grant select, insert on model_prices to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table if exists "model_prices" cascade;');
  }
}
