import { Migration } from '@mikro-orm/migrations';

/** The process that runs the request of a key. The release before kept it among the headers of the answer that is still to come. */
export class Migration20261127180000_claim_process extends Migration {
  override name = 'Migration20261127180000_claim_process';

  override up(): void {
    this.addSql('alter table idempotency_keys add column process_id text null');
  }

  override down(): void {
    this.addSql('alter table idempotency_keys drop column process_id');
  }
}
