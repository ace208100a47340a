import { Migration } from '@mikro-orm/migrations';

/** How the review of a submission ends in a test workspace. */
export class Migration20261125094500_test_reviews extends Migration {
  override name = 'Migration20261125094500_test_reviews';

  override up(): void {
    this.addSql('alter table "deployments" add column "test_review" text null');
  }
}
