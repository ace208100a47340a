import { Migration } from '@mikro-orm/migrations';

/** The history shows a model by the name that its caller used; null in older items and where none was named. */
export class Migration20261125223500_asked_model extends Migration {
  override name = 'Migration20261125223500_asked_model';

  override up(): void {
    this.addSql('alter table speech_history add column asked_model text');
  }

  override down(): void {
    this.addSql('alter table speech_history drop column asked_model');
  }
}
