import { Migration } from '@mikro-orm/migrations';

/**
 * The position of an event in the order that streams of a workspace follow: see `db/eventStreams/settling.ts`. Events from before have
 * none. The transaction has its id before it takes a number: readers rely on that.
 */
export class Migration20261126211000_event_positions extends Migration {
  override name = 'Migration20261126211000_event_positions';

  override up(): void {
    this.addSql('create sequence event_positions');
    this.addSql('grant usage on sequence event_positions to ledgerline_system');
    for (const table of ['platform_events', 'run_events'])
      this.addSql(`alter table "${table}" add column "position" bigint null;`);
    this.addSql(`create function event_position() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  new.position := nextval('event_positions');
  perform pg_notify('ledgerline', json_build_object('kind', 'event', 'workspaceId', new.workspace_id)::text);
  return new;
end $$`);
    this.addSql(
      'create trigger position before insert on platform_events for each row execute function event_position()',
    );
    this.addSql(`create trigger position before insert on run_events for each row
  when (new.type in ('run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached'))
  execute function event_position()`);
  }

  override down(): void {
    for (const table of ['platform_events', 'run_events']) {
      this.addSql(`drop trigger position on ${table}`);
      this.addSql(`alter table "${table}" drop column "position"`);
    }
    this.addSql('drop function event_position()');
    this.addSql('drop sequence event_positions');
  }
}
