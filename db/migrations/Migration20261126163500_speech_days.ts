import { Migration } from '@mikro-orm/migrations';

/** Speech of keys that keep it for some days alone. */
export class Migration20261126163500_speech_days extends Migration {
  override name = 'Migration20261126163500_speech_days';

  // The index is built while speech is written. An attempt that got no lock in time leaves an invalid one.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('alter table "speech_history" add column if not exists "expires_at" timestamptz null');
    this.addSql('drop index concurrently if exists speech_history_expires_at_index');
    this.addSql(
      'create index concurrently "speech_history_expires_at_index" on "speech_history" ("expires_at") where expires_at is not null',
    );
  }

  override down(): void {
    this.addSql('alter table speech_history drop column expires_at');
  }
}
