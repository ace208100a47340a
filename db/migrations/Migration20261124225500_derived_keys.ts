import { Migration } from '@mikro-orm/migrations';

/** Keys that other keys have made: their ancestors, whose ceilings they count against, and the agents that they may run. */
export class Migration20261124225500_derived_keys extends Migration {
  override name = 'Migration20261124225500_derived_keys';

  override up(): void {
    this.addSql(
      `alter table api_keys add column parent_id text null, add column ancestors text[] not null default '{}',
         add column in_tree boolean not null default false, add column allowed_agents text[] null`,
    );
    this.addSql(`create index api_keys_ancestors_index on api_keys using gin (ancestors) where parent_id is not null`);
  }

  override down(): void {
    this.addSql(
      'alter table api_keys drop column parent_id, drop column ancestors, drop column in_tree, drop column allowed_agents',
    );
  }
}
