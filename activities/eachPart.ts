import { log } from '@temporalio/activity';

/**
 * Does the parts of a work one after another, also after one that fails, and returns what each has. At its end it fails if a part did: a
 * fault that stays, of one row or one service, must not keep the parts behind it from their work for ever. Begins no part once the worker
 * stops.
 */
export async function eachPart<Result extends object>(
  isStopping: () => boolean,
  parts: { [Name in keyof Result]: () => Promise<Result[Name]> },
): Promise<Result> {
  const done: Partial<Result> = {};
  const failed: string[] = [];
  for (const name of Object.keys(parts) as (keyof Result & string)[]) {
    if (isStopping()) throw new Error(`the worker stops: the next upkeep goes on with ${name}`);
    try {
      done[name] = await parts[name]();
    } catch (error) {
      failed.push(name);
      log.error('a part of the upkeep failed; the next one makes up for it', { part: name, error });
    }
  }
  if (failed.length > 0) throw new Error(`parts of the upkeep failed: ${failed.join(', ')}`);
  return done as Result;
}
