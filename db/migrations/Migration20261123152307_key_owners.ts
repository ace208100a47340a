import { Migration } from '@mikro-orm/migrations';

/** The person who made a key: for decisions that take two persons, all of their keys are one. */
export class Migration20261123152307_key_owners extends Migration {
  override name = 'Migration20261123152307_key_owners';

  override up(): void {
    this.addSql('alter table "api_keys" add column "owner_user_id" text null');
    this.addSql('update api_keys set owner_user_id = member_user_id where member_user_id is not null');
  }

  override down(): void {
    this.addSql('alter table "api_keys" drop column "owner_user_id"');
  }
}
