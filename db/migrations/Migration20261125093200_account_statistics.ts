import { Migration } from '@mikro-orm/migrations';

/**
 * Tells the planner that an account belongs to one workspace. Without it, a list of an account's newest entries was thought to match a single
 * row, and read and sorted all entries of the account.
 */
export class Migration20261125093200_account_statistics extends Migration {
  override name = 'Migration20261125093200_account_statistics';

  override up(): void {
    this.addSql(
      'create statistics if not exists ledger_entries_account_statistics (dependencies) on workspace_id, account_id from ledger_entries',
    );
    this.addSql('analyze ledger_entries');
  }

  override down(): void {
    this.addSql('drop statistics ledger_entries_account_statistics');
  }
}
