import { Migration } from '@mikro-orm/migrations';

/** What the publisher of a withdrawn submission has paid for its trials. Null: it was not withdrawn, or before there was a bill. */
export class Migration20261125221100_trial_bills extends Migration {
  override name = 'Migration20261125221100_trial_bills';

  override up(): void {
    this.addSql('alter table deployments add column trials_billed_nanos bigint null');
  }

  override down(): void {
    this.addSql('alter table deployments drop column trials_billed_nanos');
  }
}
