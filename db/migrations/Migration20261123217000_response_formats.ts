import { Migration } from '@mikro-orm/migrations';

/** The output schema that a run's caller orders. */
export class Migration20261123217000_response_formats extends Migration {
  override name = 'Migration20261123217000_response_formats';

  override up(): void {
    this.addSql('alter table "runs" add column "response_format" jsonb null');
  }
}
