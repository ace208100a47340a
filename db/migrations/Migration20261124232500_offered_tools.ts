import { Migration } from '@mikro-orm/migrations';

/** What workers offer to agents: their own tools, and those of plugins as they were seen last. */
export class Migration20261124232500_offered_tools extends Migration {
  override name = 'Migration20261124232500_offered_tools';

  override up(): void {
    this.addSql(
      `create table "offered_tools" ("name" text not null, "position" int not null, "kind" text not null, "description" text not null, "parameters" jsonb not null, "languages" jsonb null, primary key ("name"));`,
    );
    this.addSql('grant select, insert, update, delete on offered_tools to ledgerline_system');
    this.addSql(`alter table "plugins" add column "tools" jsonb null`);
  }

  override down(): void {
    this.addSql('alter table "plugins" drop column "tools"');
    this.addSql('drop table offered_tools');
  }
}
