import { Migration } from '@mikro-orm/migrations';

const TENANT_TABLES = ['accounts', 'api_keys', 'holds', 'key_days', 'ledger_entries', 'requests'];
const SYSTEM_ONLY_TABLES = ['processes', 'request_progress'];

/**
 * Tenancy, enforced a second time below the queries: reads for a caller run as \`ledgerline_tenant\`, which sees one workspace's rows
 * (\`app.workspace_id\`, set for the transaction). The platform itself runs as \`ledgerline_system\`, which may not change entries.
 * Neither owns a table, and FORCE binds the owner as well.
 */
export class Migration20261121110200_tenancy extends Migration {
  override up(): void {
    for (const role of ['ledgerline_tenant', 'ledgerline_system']) this.addSql(createRole(role));
    this.addSql('grant usage on schema public to ledgerline_tenant, ledgerline_system');
    for (const table of TENANT_TABLES) this.addSql(isolate(table, 'workspace_id'));
    this.addSql(isolate('workspaces', 'id'));
    for (const table of SYSTEM_ONLY_TABLES) this.addSql(reserve(table));
    this.addSql('grant select, insert on all tables in schema public to ledgerline_system');
    this.addSql(
      'grant update on accounts, api_keys, holds, key_days, processes, requests, request_progress to ledgerline_system',
    );
    this.addSql('grant delete on request_progress, processes to ledgerline_system');
    this.addSql('grant usage on all sequences in schema public to ledgerline_system');
  }
}

// Roles belong to the whole server: another database of it may have made them, or be making them this moment.
const createRole = (role: string) => `
do $$ begin
  create role ${role} nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant ${role} to current_user;`;

const isolate = (table: string, column: string) => `
${reserve(table)}
create policy tenant on ${table} for select to ledgerline_tenant using (${column} = current_setting('app.workspace_id'));
grant select on ${table} to ledgerline_tenant;`;

const reserve = (table: string) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy system on ${table} to ledgerline_system using (true) with check (true);`;
