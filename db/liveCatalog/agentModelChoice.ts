import { sendNotice } from '../postgres/notices.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import type { Person } from '../workspaces/secondPerson.ts';
import { lockCatalog } from './changeCatalog.ts';
import type { ChoiceRow } from './catalogRows.ts';

/** The model that agents are to use: from now on, or once it has been fetched. */
export interface Choice {
  model: string;
  state: ChoiceRow['state'];
}

/** Chooses the model of agents that name none, audited. Every process has it within a second; runs that have begun keep their price. */
export function chooseAgentModel(everywhere: Rows<undefined>, choice: Choice, by: Person): Promise<void> {
  return everywhere.transaction(async (tx) => {
    await lockCatalog(tx);
    await choose(tx, choice, by);
  });
}

/** The same within a transaction that has locked the catalogue. A choice replaces what was awaited. */
export async function choose(tx: AnyTransaction, { model, state }: Choice, by: Person): Promise<void> {
  if (state === 'chosen') await tx.em.nativeDelete(tx.AgentModelChoice, { state: 'awaited' });
  const before = await tx.em.findOne(tx.AgentModelChoice, { state });
  if (before?.model === model) return;
  await tx.em.upsert(tx.AgentModelChoice, {
    state,
    model,
    chosenBy: by.personId,
    chooser: by.name,
    chosenAt: new Date(),
  });
  const isNow = state === 'chosen';
  const action = isNow ? 'choose_agent_model' : 'await_agent_model';
  await auditIt(tx, by, { action, model, detail: { before: before?.model ?? null } });
}

/** Takes a choice back, audited: `chosen` leaves the model to the file and the environment, `awaited` ends the wait. */
export function takeBackChoice(everywhere: Rows<undefined>, state: ChoiceRow['state'], by: Person): Promise<void> {
  return everywhere.transaction(async (tx) => {
    await lockCatalog(tx);
    const before = await tx.em.findOne(tx.AgentModelChoice, { state });
    if (!before) return;
    await tx.em.nativeDelete(tx.AgentModelChoice, { state });
    const isNow = state === 'chosen';
    const action = isNow ? 'return_agent_model' : 'stop_awaiting_agent_model';
    await auditIt(tx, by, { action, model: before.model, detail: {} });
  });
}

/** Puts the awaited model to use, once it can answer: by the process that sees it first, for the person who chose it. */
export function useAwaitedModel(everywhere: Rows<undefined>, model: string): Promise<void> {
  return everywhere.transaction(async (tx) => {
    await lockCatalog(tx);
    const awaited = await tx.em.findOne(tx.AgentModelChoice, { state: 'awaited', model });
    if (!awaited) return;
    const { chosenBy: personId, chooser: name } = awaited;
    const bySystem = { keyId: 'system', requestId: 'system' };
    await choose(tx, { model, state: 'chosen' }, { personId, name, isKnown: true, ...bySystem });
  });
}

async function auditIt(
  tx: AnyTransaction,
  by: Person,
  { action, model, detail }: { action: string; model: string; detail: object },
): Promise<void> {
  const subject = { subjectType: 'catalog_model', subjectId: model };
  await audit(tx, by, { workspaceId: null, action, ...subject, detail });
  await sendNotice(tx.client, { kind: 'catalog' });
}
