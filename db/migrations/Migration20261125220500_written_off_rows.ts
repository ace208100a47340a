import { Migration } from '@mikro-orm/migrations';

/** Finds the few calls of a day of which a part was written off. An attempt that got no lock in time leaves an invalid index. */
export class Migration20261125220500_written_off_rows extends Migration {
  override name = 'Migration20261125220500_written_off_rows';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists requests_written_off_index');
    this.addSql(
      'create index concurrently requests_written_off_index on requests (settled_at) where written_off_nanos > 0',
    );
  }

  override down(): void {
    this.addSql('drop index requests_written_off_index');
  }
}
