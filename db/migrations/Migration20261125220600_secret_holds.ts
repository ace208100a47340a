import { Migration } from '@mikro-orm/migrations';

/** A hold names the client secret whose limit binds it. */
export class Migration20261125220600_secret_holds extends Migration {
  override name = 'Migration20261125220600_secret_holds';

  override up(): void {
    this.addSql('alter table holds add column client_secret_id text null');
  }

  override down(): void {
    this.addSql('alter table holds drop column client_secret_id');
  }
}
