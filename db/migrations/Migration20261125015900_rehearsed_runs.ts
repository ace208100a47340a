import { Migration } from '@mikro-orm/migrations';

/** Which runs had the rehearsal model: they say nothing about an agent's quality. */
export class Migration20261125015900_rehearsed_runs extends Migration {
  override name = 'Migration20261125015900_rehearsed_runs';

  override up(): void {
    this.addSql('alter table "runs" add column "rehearsed" boolean not null default false');
  }
}
