import { Migration } from '@mikro-orm/migrations';

/**
 * The day of a test workspace ends by its own clock, which may be years ahead: before the root of that day has a place for it. The place is
 * written once, and nothing else of a row ever changes.
 */
export class Migration20261127210000_closed_days extends Migration {
  override name = 'Migration20261127210000_closed_days';

  override up(): void {
    this.addSql('alter table bill_days alter column place drop not null');
    this.addSql('grant update (place) on bill_days to ledgerline_system');
    this.addSql('drop trigger bill_days_append_only on bill_days');
    this.addSql(`create trigger bill_days_append_only before delete or truncate on bill_days
      for each statement execute function ledger_refuse_change()`);
    this.addSql(`create trigger bill_days_placed_once before update on bill_days for each row
      when (old.place is not null or to_jsonb(new) - 'place' is distinct from to_jsonb(old) - 'place')
      execute function ledger_refuse_change()`);
  }

  override down(): void {
    this.addSql('drop trigger bill_days_placed_once on bill_days');
    this.addSql('drop trigger bill_days_append_only on bill_days');
    this.addSql('delete from bill_days where place is null');
    this.addSql('alter table bill_days alter column place set not null');
    this.addSql('revoke update (place) on bill_days from ledgerline_system');
    this.addSql(`create trigger bill_days_append_only before update or delete or truncate on bill_days
      for each statement execute function ledger_refuse_change()`);
  }
}
