import { Migration } from '@mikro-orm/migrations';

/** How late the rows of an archived file were settled or posted, so that a time finds files of months long before it. */
export class Migration20261128081000_archive_times extends Migration {
  override name = 'Migration20261128081000_archive_times';

  override up(): void {
    this.addSql('alter table archive_files add column last_at timestamptz null');
  }

  override down(): void {
    this.addSql('alter table archive_files drop column last_at');
  }
}
