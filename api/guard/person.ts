import type { Person } from '../../db/workspaces/secondPerson.ts';
import { findKeyOwner } from '../../db/keys/keyStore.ts';
import { actorOf, type Context } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import type { Database } from '../../db/database.ts';

/** The signed-in person or, without a session, the key's creator: one identity across keys and workspaces. */
export async function personOf({ everywhere }: Database, ctx: Context): Promise<Person> {
  const { key, member } = ctx.state;
  const userId = member?.userId ?? (await findKeyOwner(everywhere, key.keyId));
  const personId = userId ?? key.keyId;
  return { personId, isKnown: userId !== undefined, name: member?.name ?? key.name, ...actorOf(ctx) };
}

/** 403 for approving one's own request. `what`: "this adjustment". */
export const secondPersonRequired = (what: string) =>
  new ApiError({
    status: 403,
    code: 'second_person_required',
    message: `You asked for ${what}. Have another operator approve it.`,
  });

/** 403 for a key without a known person. `what`: "Adjustments are approved". */
export const personRequired = (what: string) =>
  new ApiError({
    status: 403,
    code: 'person_required',
    message:
      `${what} by a person, and this key was made on the command line, which does not know whose it is. Sign ` +
      'in to the console, or use a key that was made there.',
  });
