import { Migration } from '@mikro-orm/migrations';

/** Reruns that pay for the steps that they reuse, because the run that they repeat was not billed. */
export class Migration20261125221000_unbilled_steps extends Migration {
  override name = 'Migration20261125221000_unbilled_steps';

  override up(): void {
    this.addSql('alter table runs add column reuses_unbilled boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table runs drop column reuses_unbilled');
  }
}
