import { Migration } from '@mikro-orm/migrations';

/** A stream that the sweep has billed from what was recorded: the final bill of its process may still replace that. */
export class Migration20261123014711_provisional_bills extends Migration {
  override name = 'Migration20261123014711_provisional_bills';

  override up(): void {
    this.addSql('alter table "requests" add "provisional" boolean not null default false;');
  }
}
