import { raw, sql } from '@mikro-orm/core';

/**
 * Loaded before a program whose database has a clock of its own: the ORM asks for `now()`, which that database may replace, not for
 * `current_timestamp`, which is a keyword.
 */
sql.now = () => raw('now()');
