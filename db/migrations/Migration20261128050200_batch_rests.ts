import { Migration } from '@mikro-orm/migrations';

/** Why a batch's remaining lines did not run: kept, so that files that are written again say the same. */
export class Migration20261128050200_batch_rests extends Migration {
  override name = 'Migration20261128050200_batch_rests';

  override up(): void {
    this.addSql('alter table batches add column rest_code text null');
  }

  override down(): void {
    this.addSql('alter table batches drop column rest_code');
  }
}
