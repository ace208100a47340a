import { Migration } from '@mikro-orm/migrations';

/**
 * Why a call was served by its upstream, where its model has several; and who demands upstreams that keep nothing. The note of a call comes
 * with the name of its upstream (`settlement.ts`), so that processes of two releases share the type of settlements.
 */
export class Migration20261127070010_routing extends Migration {
  override name = 'Migration20261127070010_routing';

  override up(): void {
    this.addSql('alter table requests add column routing text null');
    for (const table of ['workspaces', 'api_keys', 'runs'])
      this.addSql(`alter table ${table} add column no_retention boolean not null default false`);
  }

  override down(): void {
    this.addSql('alter table requests drop column routing');
    for (const table of ['workspaces', 'api_keys', 'runs'])
      this.addSql(`alter table ${table} drop column no_retention`);
  }
}
