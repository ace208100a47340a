import type { Pool } from 'pg';

/** The pool, or a client of it in the midst of a transaction. */
export type Queryable = Pick<Pool, 'query'>;
