import { Migration } from '@mikro-orm/migrations';

/** A transaction that tells of its events over the bus takes no lock of NOTIFY. A process of the last release tells of them as before. */
export class Migration20261127092000_quiet_events extends Migration {
  override name = 'Migration20261127092000_quiet_events';

  override up(): void {
    for (const sql of functionsWith(
      `if current_setting('ledgerline.told', true) is distinct from 'on' then `,
      ' end if;',
    ))
      this.addSql(sql);
  }

  override down(): void {
    for (const sql of functionsWith('', '')) this.addSql(sql);
  }
}

const functionsWith = (before: string, after: string): string[] => [
  `create or replace function event_position() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  new.position := nextval('event_positions');
  ${before}perform pg_notify('ledgerline', json_build_object('kind', 'event', 'workspaceId', new.workspace_id)::text);${after}
  return new;
end $$`,
  `create or replace function webhook_deliver(event text, owner text, kind text, special text, special_url text) returns void
language plpgsql as $$
begin
  insert into webhook_deliveries (id, event_id, endpoint_id, workspace_id, event_type, url)
  select 'whd_' || left(md5(event || e.id), 22), event, e.id, owner, kind, case when e.id = special then special_url end
  from webhook_endpoints e
  where e.workspace_id = owner and e.disabled_at is null and e.deleted_at is null
    and (e.id = special or cardinality(e.event_types) = 0 or kind = any (e.event_types));
  if found then
    ${before}perform pg_notify('ledgerline', '{"kind":"webhook"}');${after}
  end if;
end $$`,
];
