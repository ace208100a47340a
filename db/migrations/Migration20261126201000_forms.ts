import { Migration } from '@mikro-orm/migrations';

/** All that a run waits for at once: the questions and the approvals of one turn of its model. `json` keeps the order of a form’s fields. */
export class Migration20261126201000_forms extends Migration {
  override name = 'Migration20261126201000_forms';

  override up(): void {
    this.addSql('alter table "runs" add column "required_actions" json null');
  }

  override down(): void {
    this.addSql('alter table "runs" drop column "required_actions"');
  }
}
