import { readdir, readFile } from 'node:fs/promises';
import { Migration } from '@mikro-orm/migrations';

const FOLDER = new URL('./baseline/', import.meta.url);
/** They need the tables of all other files. */
const LAST = ['triggers.sql', 'rights.sql', 'seeds.sql'];

/**
 * The database as the first 74 migrations made it, none of which was released: `migrate` marks this one as executed in a database that has
 * them. The files of `baseline/` are those of `db/entities/`, and the rest. Like every migration it stays as it is: later ones change it.
 */
export class Migration20261125200000_baseline extends Migration {
  override name = 'Migration20261125200000_baseline';

  override async up(): Promise<void> {
    const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql') && !LAST.includes(file)).toSorted();
    for (const file of [...files, ...LAST]) this.addSql(await readFile(new URL(file, FOLDER), 'utf8'));
  }
}
