import { Migration } from '@mikro-orm/migrations';

/** Channels of published agents; agents that are taken down, deprecated or deleted, and deleted versions. */
export class Migration20261126208000_channels extends Migration {
  override name = 'Migration20261126208000_channels';

  override up(): void {
    this.addSql(
      `create table "agent_channels" ("agent_id" text not null, "name" text not null, "workspace_id" text not null, "version_id" text not null, "previous_version_id" text null, "next_version_id" text null, "next_at" timestamptz null, "moved_at" timestamptz not null default now(), "removed_at" timestamptz null, primary key ("agent_id", "name"));`,
    );
    this.addSql(
      `alter table "agent_channels" add constraint "agent_channels_next_check" check ((next_version_id is null) = (next_at is null));`,
    );
    this.addSql('create index "agent_channels_workspace_id_index" on "agent_channels" ("workspace_id")');
    this.addSql('alter table agent_channels enable row level security');
    this.addSql('alter table agent_channels force row level security');
    this.addSql('create policy system on agent_channels to ledgerline_system using (true) with check (true)');
    this.addSql(
      `create policy tenant on agent_channels for select to ledgerline_tenant using (workspace_id = current_setting('app.workspace_id'))`,
    );
    this.addSql('grant select on agent_channels to ledgerline_tenant');
    this.addSql('grant select, insert, update, delete on agent_channels to ledgerline_system');
    this.addSql(
      'alter table agents add column taken_down_at timestamptz null, add column taken_down_message text null, add column deprecated_at timestamptz null, add column sunset_at timestamptz null, add column successor text null, add column deprecation_message text null, add column deleted_at timestamptz null',
    );
    this.addSql('alter table agent_versions add column deleted_at timestamptz null');
    this.addSql('grant update (deleted_at) on agent_versions to ledgerline_system');
    // A version is never changed, but its publisher may take it off the list.
    this.addSql(REFUSE_UPDATE(`'deleted_at'`));
  }

  override down(): void {
    this.addSql(REFUSE_UPDATE(`'{}'::text[]`));
    this.addSql('alter table agent_versions drop column deleted_at');
    this.addSql(
      'alter table agents drop column taken_down_at, drop column taken_down_message, drop column deprecated_at, drop column sunset_at, drop column successor, drop column deprecation_message, drop column deleted_at',
    );
    this.addSql('drop table agent_channels');
  }
}

const REFUSE_UPDATE = (free: string) => `
create or replace function agent_versions_refuse_update() returns trigger language plpgsql as $$
begin
  if current_setting('ledgerline.erasing', true) = 'on' and to_jsonb(new) - 'configuration' = to_jsonb(old) - 'configuration' then
    return new;
  end if;
  if to_jsonb(new) - ${free} = to_jsonb(old) - ${free} then
    return new;
  end if;
  raise exception 'agent_versions are never changed: make a new one instead';
end $$`;
