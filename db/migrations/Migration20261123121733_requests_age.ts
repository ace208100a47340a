import { Migration } from '@mikro-orm/migrations';

/** For operators: the calls of the last hour, of all workspaces. Such an index costs a settlement next to nothing. */
export class Migration20261123121733_requests_age extends Migration {
  override name = 'Migration20261123121733_requests_age';

  override up(): void {
    this.addSql('create index requests_age_index on requests using brin (settled_at)');
  }

  override down(): void {
    this.addSql('drop index requests_age_index');
  }
}
