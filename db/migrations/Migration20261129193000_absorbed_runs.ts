import { Migration } from '@mikro-orm/migrations';

/** Finds the few failed runs of a day that consumed something. An attempt that got no lock in time leaves an invalid index. */
export class Migration20261129193000_absorbed_runs extends Migration {
  override name = 'Migration20261129193000_absorbed_runs';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists runs_absorbed_index');
    this.addSql('create index concurrently runs_absorbed_index on runs (settled_at) where absorbed_nanos > 0');
  }

  override down(): void {
    this.addSql('drop index runs_absorbed_index');
  }
}
