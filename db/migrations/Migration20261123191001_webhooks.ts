import { Migration } from '@mikro-orm/migrations';

/**
 * Webhook endpoints of workspaces, and their deliveries. Triggers record a delivery in the transaction that adds its event, so that none is
 * lost, whichever code adds the event.
 */
export class Migration20261123191001_webhooks extends Migration {
  override name = 'Migration20261123191001_webhooks';

  override up(): void {
    this.addSql(
      `create table "webhook_endpoints" ("id" text not null, "workspace_id" text not null, "url" text not null, "event_types" text[] not null default '{}', "description" text null, "secrets" jsonb not null, "disabled_at" timestamptz null, "disabled_reason" text null, "failing_since" timestamptz null, "created_at" timestamptz not null default now(), "deleted_at" timestamptz null, primary key ("id"), constraint "webhook_endpoints_disabled_check" check ((disabled_at is null) = (disabled_reason is null) and disabled_reason in ('requested', 'gone', 'failing')));`,
    );
    this.addSql(
      `create table "webhook_deliveries" ("id" text not null, "event_id" text not null, "endpoint_id" text not null, "workspace_id" text not null, "event_type" text not null, "url" text null, "status" text not null default 'pending', "round" int not null default 1, "tries" smallint not null default 0, "next_try_at" timestamptz null default now(), "due_at" timestamptz null default now(), "created_at" timestamptz not null default now(), primary key ("id"), constraint "webhook_deliveries_status_check" check (status in ('pending', 'delivered', 'failed', 'cancelled')));`,
    );
    this.addSql(
      `create table "webhook_attempts" ("id" text not null, "delivery_id" text not null, "workspace_id" text not null, "status_code" int null, "response_body" text null, "error" text null, "duration_ms" int not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create table "webhook_keys" ("id" text not null, "public_key" text not null, "used_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      'create index "webhook_endpoints_workspace_id_index" on "webhook_endpoints" ("workspace_id", "created_at")',
    );
    this.addSql('create unique index webhook_deliveries_event_index on webhook_deliveries (event_id, endpoint_id)');
    this.addSql('create index webhook_deliveries_due_index on webhook_deliveries (due_at) where due_at is not null');
    this.addSql('create index webhook_deliveries_endpoint_index on webhook_deliveries (endpoint_id, created_at, id)');
    this.addSql(`create index "webhook_deliveries_created_at_index" on "webhook_deliveries" ("created_at")`);
    this.addSql('create index "webhook_attempts_delivery_id_index" on "webhook_attempts" ("delivery_id")');
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts']) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`alter table ${table} force row level security`);
      this.addSql(`create policy system on ${table} to ledgerline_system using (true) with check (true)`);
      this.addSql(
        `create policy tenant on ${table} for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
      );
      this.addSql(`grant select on ${table} to ledgerline_tenant`);
      this.addSql(`grant select, insert, update, delete on ${table} to ledgerline_system`);
    }
    this.addSql('alter table webhook_keys enable row level security');
    this.addSql('alter table webhook_keys force row level security');
    this.addSql('create policy system on webhook_keys to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update on webhook_keys to ledgerline_system');
    for (const sql of [LIVE, OF_EVENTS, OF_RUNS, ...TRIGGERS]) this.addSql(sql);
    this.addSql(`create index platform_events_age_index on platform_events (workspace_id, created_at, id)`);
    this.addSql('drop index platform_events_workspace_id_index');
    this.addSql(
      `create index run_events_notable_index on run_events (workspace_id, created_at, run_id, sequence) where ${NOTABLE('type')}`,
    );
  }

  override down(): void {
    this.addSql('drop index run_events_notable_index');
    this.addSql('create index platform_events_workspace_id_index on platform_events (workspace_id)');
    this.addSql('drop index platform_events_age_index');
    this.addSql('drop trigger webhooks on run_events');
    this.addSql('drop trigger webhooks on platform_events');
    this.addSql('drop function webhooks_of_run_event');
    this.addSql('drop function webhooks_of_platform_event');
    this.addSql('drop function webhook_deliver');
    for (const table of ['webhook_keys', 'webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'])
      this.addSql(`drop table ${table}`);
  }
}

/** Events of runs that webhooks deliver: the terminal ones, and a question to the caller. */
const NOTABLE = (type: string) =>
  `${type} in ('run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached')`;

// `special`: an endpoint that gets the event whatever its types, at `special_url`.
const LIVE = `
create function webhook_deliver(event text, owner text, kind text, special text, special_url text) returns void
language plpgsql as $$
begin
  insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type, url)
  select 'whd_' || left(md5(event || e.id), 22), event, e.id, owner, kind, case when e.id = special then special_url end
  from webhook_endpoints e
  where e.workspace_id = owner and e.disabled_at is null and e.deleted_at is null
    and (e.id = special or cardinality(e.event_types) = 0 or kind = any (e.event_types));
  if found then perform pg_notify('ledgerline', '{"kind":"webhook"}'); end if;
end $$`;

const OF_EVENTS = `
create function webhooks_of_platform_event() returns trigger language plpgsql as $$
begin
  perform webhook_deliver(new.id, new.workspace_id, new.type, null, null);
  return null;
end $$`;

// The id of a run's event is computed as by eventIdOf. A run's own URL goes to the endpoint whose secret signs for that address.
const OF_RUNS = `
create function webhooks_of_run_event() returns trigger language plpgsql as $$
declare
  digits text := '';
  rest int := new.sequence;
  special text;
  special_url text;
begin
  for place in 1..6 loop
    digits := substr('0123456789abcdefghijklmnopqrstuvwxyz', rest % 36 + 1, 1) || digits;
    rest := rest / 36;
  end loop;
  select e.id, r.webhook_url into special, special_url from runs r
  join webhook_endpoints e on e.workspace_id = r.workspace_id and e.disabled_at is null and e.deleted_at is null
    and split_part(e.url, '?', 1) = split_part(r.webhook_url, '?', 1)
  where r.id = new.run_id and (r.webhook_events is null or new.type = any (r.webhook_events))
  order by e.created_at, e.id limit 1;
  perform webhook_deliver('evt_' || substr(new.run_id, 5) || digits, new.workspace_id, new.type, special, special_url);
  return null;
end $$`;

const TRIGGERS = [
  `create trigger webhooks after insert on run_events for each row when (${NOTABLE('new.type')}) execute function webhooks_of_run_event()`,
  `create trigger webhooks after insert on platform_events for each row when (new.type not like 'webhook\\_endpoint.%') execute function webhooks_of_platform_event()`,
];
