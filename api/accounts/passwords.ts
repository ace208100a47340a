import { AsyncLocalStorage } from 'node:async_hooks';
import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export const PASSWORD_LENGTH = { min: 10, max: 128 };

// OWASP's minimum cost for Argon2id: 19 MiB and two passes, about 30 ms.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const SHAPE = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

const derive = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2('argon2id', parameters, done),
);

const prepared = new AsyncLocalStorage<{ password: string; hash: string }>();

/** Runs `work`, which hashes a password in a transaction, with the hash computed before it, so that no connection waits for it. */
export async function withHash<T>(password: string, work: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(password);
  return prepared.run({ password, hash }, work);
}

/** Hashes a password with Argon2id, in the standard text form. */
export async function hashPassword(password: string): Promise<string> {
  const known = prepared.getStore();
  if (known?.password === password) return known.hash;
  const nonce = randomBytes(SALT_BYTES);
  const key = await derive({ message: normalised(password), nonce, ...COST });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(key)}`;
}

/** Whether a password matches a hash, whatever the hash's cost. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const parts = SHAPE.exec(hash);
  if (!parts) return false;
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
  const stored = Buffer.from(parts[5]!, 'base64');
  const nonce = Buffer.from(parts[4]!, 'base64');
  const cost = { memory, passes, parallelism, tagLength: stored.length };
  return timingSafeEqual(await derive({ message: normalised(password), nonce, ...cost }), stored);
}

// The same password may arrive in two Unicode forms.
const normalised = (password: string): string => password.normalize('NFKC');
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
