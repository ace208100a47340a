import { Migration } from '@mikro-orm/migrations';

const TENANT_TABLES = [
  'agents',
  'agent_versions',
  'deployments',
  'deployment_comments',
  'files',
  'file_chunks',
  'namespaces',
  'runs',
  'run_events',
  'run_feedback',
  'run_meters',
  'run_steps',
  'run_usage',
  'save_operations',
  'sessions',
  'session_entries',
];
const SYSTEM_ONLY_TABLES = ['audit_entries', 'idempotency_keys', 'plugins'];

const UPDATED =
  'agents, deployments, files, idempotency_keys, namespaces, plugins, runs, run_feedback, run_meters, run_steps, save_operations, sessions, session_entries';
const DELETED = 'files, file_chunks, idempotency_keys, plugins, run_events, run_feedback, session_entries, sessions';

/** Who may read and change what agents, their runs and their files are made of; and what nobody may change. */
export class Migration20261121134000_agent_rules extends Migration {
  override up(): void {
    for (const table of TENANT_TABLES) this.addSql(isolate(table));
    for (const table of SYSTEM_ONLY_TABLES) this.addSql(reserve(table));
    this.addSql(`grant select, insert on ${[...TENANT_TABLES, ...SYSTEM_ONLY_TABLES].join(', ')} to ledgerline_system`);
    this.addSql(`grant update on ${UPDATED} to ledgerline_system`);
    this.addSql(`grant delete on ${DELETED} to ledgerline_system`);
    for (const table of ['agent_versions', 'audit_entries']) this.addSql(freeze(table));
    // A range of a compressed value could not be read without the rest.
    this.addSql('alter table file_chunks alter column bytes set storage external');
    // Holds of runs outlive every process: the run's workflow ends them, so their owner's lease never runs out.
    this.addSql(`insert into processes (id, lease_until) values ('runs', 'infinity')`);
    this.addSql('alter table runs set (fillfactor = 50)');
  }
}

const isolate = (table: string) => `
${reserve(table)}
create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'));
grant select on ${table} to ledgerline_tenant;`;

const reserve = (table: string) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy system on ${table} to ledgerline_system using (true) with check (true);`;

const freeze = (table: string) => `
create function ${table}_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '${table} are never changed: make a new one instead';
end $$;
create trigger ${table}_frozen before update or delete or truncate on ${table}
  for each statement execute function ${table}_refuse_change();`;
