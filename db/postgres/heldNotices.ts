import type { Pool } from 'pg';
import type { Bus } from '../bus/bus.ts';

/** What goes over a bus, and to whom. */
interface Message {
  channel: string;
  text: string;
}

const buses = new WeakMap<object, Bus>();
const held = new WeakMap<object, Message[]>();

/** Joins a pool to a bus: notices that are sent with it or its connections go over that bus while it is up. */
export function joinPool(pool: Pool, bus: Bus): void {
  buses.set(pool, bus);
  pool.on('connect', (client) => void buses.set(client, bus));
}

/** The bus of a connection, while it is up. */
export function busOf(connection: object): Bus | undefined {
  const bus = buses.get(connection);
  return bus?.isUp() ? bus : undefined;
}

/** From now on the messages of this connection wait for its commit. */
export function holdMessages(connection: object): void {
  if (buses.has(connection)) held.set(connection, []);
}

/** Whether messages of this connection wait for a commit, to go over a bus that is up. */
export const isHolding = (connection: object): boolean => held.has(connection) && busOf(connection) !== undefined;

/** Lets a message wait for the commit of the connection's transaction. False: it has none. */
export function holdMessage(connection: object, message: Message): boolean {
  const waiting = held.get(connection);
  waiting?.push(message);
  return waiting !== undefined;
}

/** After the end of a transaction: sends what waited for its commit. */
export function endHolding(connection: object, isCommitted: boolean): void {
  const messages = held.get(connection);
  if (!messages) return;
  held.delete(connection);
  // No caller waits for hints.
  if (isCommitted) for (const { channel, text } of messages) void buses.get(connection)?.publish(channel, text);
}
