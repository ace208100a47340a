import { address, wholeNumber } from './variableTypes.ts';

/** How the programs reach PostgreSQL, and how many connections they open. */
export const DATABASE = {
  DATABASE_URL: address('postgres(ql)?', 'postgres://user:password@host/database').optional().meta({
    isSecret: true,
    about: "PostgreSQL with the application's login, as postgres://user:password@host:port/database",
  }),
  DATABASE_DIRECT_URL: address('postgres(ql)?', 'postgres://user:password@host/database').optional().meta({
    isSecret: true,
    about:
      'The same database and login without the pooler: set it where DATABASE_URL is PgBouncer in transaction mode, also for migrations',
    unset: 'DATABASE_URL is PostgreSQL itself',
  }),
  MIGRATION_DATABASE_URL: address('postgres(ql)?', 'postgres://user:password@host/database').optional().meta({
    isSecret: true,
    about: "The same database with its owner's login, for migrations; they create the login of DATABASE_URL",
    unset: 'DATABASE_URL',
  }),
  DATABASE_CONNECTIONS_MAX: wholeNumber(2, 1_000)
    .default(10)
    .meta({ about: 'Connections of one process for transactions and single statements' }),
  DATABASE_READ_CONNECTIONS_MAX: wholeNumber(1, 1_000)
    .default(5)
    .meta({ about: 'Connections of one process for what a workspace reads; one process also opens 3 of its own' }),
};
