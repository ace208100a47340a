import { nanosOfUsd } from '../db/money.ts';

/** Thrown when a command was called wrongly: the message says how it should be. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export type Options = ReturnType<typeof createOptions>;

/** The options of one call, read by what they should hold. Every reader throws `UsageError` for what does not fit. */
export function createOptions(values: Record<string, unknown>) {
  function text(name: string): string | undefined {
    const value = values[name] as string | undefined;
    if (value?.trim() === '') throw new UsageError(`--${name} is empty`);
    return value?.trim();
  }

  function requiredText(name: string): string {
    const value = text(name);
    if (value === undefined) throw new UsageError(`--${name} is missing`);
    return value;
  }

  function isSet(name: string): boolean {
    return values[name] === true;
  }

  /** What an option holds that may be given several times. */
  function texts(name: string): string[] {
    return ((values[name] ?? []) as string[]).map((value) => value.trim());
  }

  function wholeNumber(name: string): number | undefined {
    const value = text(name);
    if (value === undefined) return undefined;
    if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
    throw new UsageError(`--${name} must be a whole number from 1 to 9999999, not "${value}"`);
  }

  /** Nano-USD. */
  function amount(name: string): bigint | undefined {
    const value = text(name);
    if (value === undefined) return undefined;
    try {
      return nanosOfUsd(value);
    } catch {
      throw new UsageError(`--${name} must be an amount in US dollars like 10 or 0.5, not "${value}"`);
    }
  }

  function oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = text(name);
    if (value === undefined || allowed.includes(value as T)) return value as T | undefined;
    throw new UsageError(`--${name} must be ${allowed.join(' or ')}, not "${value}"`);
  }

  /** A list with commas between, of at least one and without repetition. */
  function someOf<T extends string>(name: string, allowed: readonly T[]): T[] {
    const listed = new Set(requiredText(name).split(','));
    for (const value of listed) {
      if (!allowed.includes(value as T)) {
        throw new UsageError(`--${name} is a list of ${allowed.join(', ')} with commas between; "${value}" is none`);
      }
    }
    return [...listed] as T[];
  }

  return { isSet, text, requiredText, texts, wholeNumber, amount, oneOf, someOf };
}
