import { Migration } from '@mikro-orm/migrations';

// Tables whose rows are deleted with their workspace, where that was not allowed before.
const DELETED = [
  'batch_parts',
  'deployment_comments',
  'files',
  'payment_customers',
  'response_items',
  'review_trials',
  'run_quotes',
  'run_steps',
  'save_operations',
  'speech_history',
  'voices',
];

/** Erasures of workspaces. Versions of agents and audit entries stay unchangeable, except that an erasure empties one column of each. */
export class Migration20261125021000_erasures extends Migration {
  override name = 'Migration20261125021000_erasures';

  override up(): void | Promise<void> {
    this.addSql(`create table "erasures" (
      "id" text not null, "workspace_id" text not null, "user_id" text null, "created_at" timestamptz not null default now(),
      "due_at" timestamptz not null, "cancelled_at" timestamptz null, "started_at" timestamptz null, "erased_at" timestamptz null,
      primary key ("id"),
      constraint "erasures_order_check" check ((cancelled_at is null or started_at is null) and (erased_at is null or started_at is not null))
    );`);
    this.addSql('create unique index erasures_workspace_unique on erasures (workspace_id) where cancelled_at is null');
    this.addSql(
      'create index erasures_due_index on erasures (due_at) where cancelled_at is null and erased_at is null',
    );
    this.addSql('alter table erasures enable row level security');
    this.addSql('alter table erasures force row level security');
    this.addSql('create policy system on erasures to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on erasures for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on erasures to ledgerline_tenant');
    this.addSql('grant select, insert, update on erasures to ledgerline_system');
    this.addSql(`grant delete on ${DELETED.join(', ')} to ledgerline_system`);
    for (const [table, column] of [
      ['agent_versions', 'configuration'],
      ['audit_entries', 'detail'],
    ] as const)
      this.addSql(refuseChangesBut(table, column));
  }

  override down(): void | Promise<void> {
    this.addSql('drop table if exists "erasures" cascade;');
  }
}

const refuseChangesBut = (table: string, column: string) => `
drop trigger ${table}_frozen on ${table};
create trigger ${table}_frozen before delete or truncate on ${table} for each statement execute function ${table}_refuse_change();
create function ${table}_refuse_update() returns trigger language plpgsql as $$
begin
  if current_setting('ledgerline.erasing', true) = 'on' and to_jsonb(new) - '${column}' = to_jsonb(old) - '${column}' then
    return new;
  end if;
  raise exception '${table} are never changed: make a new one instead';
end $$;
create trigger ${table}_no_update before update on ${table} for each row execute function ${table}_refuse_update();
grant update (${column}) on ${table} to ledgerline_system;`;
