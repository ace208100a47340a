import { Migration } from '@mikro-orm/migrations';

export class Migration20261121234141_decided_once extends Migration {
  override name = 'Migration20261121234141_decided_once';

  override up(): void | Promise<void> {
    this.addSql(`alter table "deployments" add "move_request_id" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "deployments" drop column "move_request_id";`);
  }
}
