import { Migration } from '@mikro-orm/migrations';

/** A test clock at its target is still moving, until what is due there has been done. */
export class Migration20261125100500_clock_moving extends Migration {
  override name = 'Migration20261125100500_clock_moving';

  override up(): void {
    this.addSql('alter table workspaces add column clock_moving boolean not null default false');
    this.addSql('grant update (clock_moving) on workspaces to ledgerline_system');
  }

  override down(): void {
    this.addSql('alter table workspaces drop column clock_moving');
  }
}
