import { Migration } from '@mikro-orm/migrations';

/** The settlement of a run that waited over a minute's turn moves the time of its usage to that of its entries. */
export class Migration20261128143000_run_times extends Migration {
  override name = 'Migration20261128143000_run_times';

  override up(): void {
    this.addSql('grant update (settled_at) on run_usage to ledgerline_system');
  }

  override down(): void {
    this.addSql('revoke update (settled_at) on run_usage from ledgerline_system');
  }
}
