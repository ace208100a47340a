import { Migration } from '@mikro-orm/migrations';

/**
 * Finds ended holds and calls that billed nothing by age, and lets the platform delete no others. An attempt that got no lock in time
 * leaves an invalid index, which the next one drops.
 */
export class Migration20261125093300_unbilled_rows extends Migration {
  override name = 'Migration20261125093300_unbilled_rows';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists holds_ended_index');
    this.addSql(
      `create index concurrently holds_ended_index on holds (ended_at) where kind <> 'run' and ended_at is not null`,
    );
    this.addSql('drop index concurrently if exists requests_unbilled_index');
    this.addSql('create index concurrently requests_unbilled_index on requests (settled_at) where cost_nanos = 0');
    this.addSql(deletingOnly('ended', 'holds', "state <> 'open' and kind <> 'run'"));
    this.addSql(deletingOnly('unbilled', 'requests', UNBILLED));
    this.addSql('grant delete on holds, requests to ledgerline_system');
  }

  override down(): void {
    this.addSql('revoke delete on holds, requests from ledgerline_system');
    this.addSql('drop policy ended on holds');
    this.addSql('drop policy unbilled on requests');
    this.addSql('drop index holds_ended_index');
    this.addSql('drop index requests_unbilled_index');
  }
}

const UNBILLED = `
cost_nanos = 0 and written_off_nanos = 0 and not provisional and not exists (
  select from ledger_entries e where e.subject = requests.id and e.kind in ('debit', 'correction', 'write_off correction'))`;

// An earlier attempt may have made it.
const deletingOnly = (name: string, table: string, condition: string) => `
do $$ begin
  create policy ${name} on ${table} as restrictive for delete to ledgerline_system using (${condition});
exception when duplicate_object then null;
end $$`;
