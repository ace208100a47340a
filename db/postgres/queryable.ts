import type { Pool } from 'pg';

/** The pool, or a client of it during a transaction. */
export type Queryable = Pick<Pool, 'query'>;
