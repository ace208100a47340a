import type { Configuration } from '@mikro-orm/core';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';

type Dialect = ReturnType<PostgreSqlConnection['createKyselyDialect']>;
type Driver = ReturnType<Dialect['createDriver']>;

/** The ORM's driver, which gives every connection back to its pool. */
export class ReturningDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    Object.assign(this, { connection: new ReturningConnection(this.config) });
  }
}

class ReturningConnection extends PostgreSqlConnection {
  override createKyselyDialect(overrides: Parameters<PostgreSqlConnection['createKyselyDialect']>[0]): Dialect {
    const dialect = super.createKyselyDialect(overrides);
    const createDriver = dialect.createDriver.bind(dialect);
    return Object.assign(dialect, { createDriver: () => returning(createDriver()) });
  }
}

/**
 * Kysely keeps the connection of a transaction whose `begin` or `rollback` fails: after five of them the pool would be empty until a
 * restart. Here a failed `begin` gives it back, and a failed `rollback` counts as done: the connection has ended (`endOnTimeout`), and
 * with it the transaction.
 */
function returning(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver);
  const rollback = driver.rollbackTransaction.bind(driver);
  return Object.assign(driver, {
    beginTransaction: async (...[connection, settings]: Parameters<Driver['beginTransaction']>) => {
      try {
        await begin(connection, settings);
      } catch (error) {
        await driver.releaseConnection(connection);
        throw error;
      }
    },
    rollbackTransaction: async (...[connection]: Parameters<Driver['rollbackTransaction']>) => {
      await rollback(connection).catch(() => {});
    },
  });
}
