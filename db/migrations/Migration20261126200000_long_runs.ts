import { Migration } from '@mikro-orm/migrations';

/** Steps that replace earlier turns of a run. Rows of before fit the narrower check, so they are not read again. */
export class Migration20261126200000_long_runs extends Migration {
  override name = 'Migration20261126200000_long_runs';

  override up(): void {
    this.addSql(kindsAre(`'model', 'tool', 'sandbox', 'file', 'compaction'`));
  }

  override down(): void {
    this.addSql(kindsAre(`'model', 'tool', 'sandbox', 'file'`));
  }
}

const kindsAre = (kinds: string) =>
  `alter table run_steps drop constraint run_steps_kind_check, add constraint run_steps_kind_check check (kind in (${kinds})) not valid`;
