import { Migration } from '@mikro-orm/migrations';

/** How a key was made, where it was not made in the list of keys or by another key. */
export class Migration20261126210100_key_origin extends Migration {
  override name = 'Migration20261126210100_key_origin';

  override up(): void {
    this.addSql('alter table api_keys add column origin text null');
  }

  override down(): void {
    this.addSql('alter table api_keys drop column origin');
  }
}
