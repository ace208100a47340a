import { hash } from 'node:crypto';
import type { ProviderTrial } from '../entities/singleSignOn.ts';
import type { AnyRows, AnyTransaction } from '../postgres/rows.ts';
import type { ProviderRow } from './providers.ts';

const hashed = (state: string): string => hash('sha256', state, 'hex');

/** The next sign-in with this state is a trial: it opens no session. */
export const beginTrial = (rows: AnyRows, workspaceId: string, state: string): Promise<number> =>
  rows.statement(({ em, IdentityProvider }) =>
    em.nativeUpdate(IdentityProvider, { workspaceId }, { trialState: hashed(state), trial: null }),
  );

/** Whether a sign-in with this state is the trial that an owner began. */
export const isTrial = ({ trialState }: Pick<ProviderRow, 'trialState'>, state: string): boolean =>
  trialState !== null && trialState === hashed(state);

/** Keeps what a trial said; from a success on, the provider signs people in. */
export async function endTrial(
  { em, IdentityProvider }: AnyTransaction,
  { id, testedAt }: Pick<ProviderRow, 'id' | 'testedAt'>,
  trial: ProviderTrial,
): Promise<void> {
  const isFirst = trial.problem === null && testedAt === null;
  await em.nativeUpdate(
    IdentityProvider,
    { id },
    { trialState: null, trial, ...(isFirst && { testedAt: new Date() }) },
  );
}
