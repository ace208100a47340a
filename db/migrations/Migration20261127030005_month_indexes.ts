import { Migration } from '@mikro-orm/migrations';

/**
 * The indexes of the divided tables, on the present ones. Subjects begin with the time, so new entries go to the end of one index, and its
 * pages stay full; beginning with the kind, they were half empty: 111 bytes an entry instead of 53. A list of calls sorts the few of one
 * moment by itself, so its index needs no ids.
 */
export class Migration20261127030005_month_indexes extends Migration {
  override name = 'Migration20261127030005_month_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [index, place] of [
      ['unique index', 'ledger_entries_subject_kind on ledger_entries (subject, kind)'],
      ['index', 'requests_settled_index on requests (workspace_id, settled_at)'],
    ]) {
      this.addSql(`drop index concurrently if exists ${place!.split(' ')[0]}`);
      this.addSql(`create ${index} concurrently ${place}`);
    }
  }

  override down(): void {
    this.addSql('drop index ledger_entries_subject_kind');
    this.addSql('drop index requests_settled_index');
  }
}
