import type { InferEntity } from '@mikro-orm/core';
import type { TestMail } from '../entities/person.ts';
import { newId } from '../ids.ts';
import type { Rows } from '../postgres/rows.ts';

const KEPT_MAX = 200;

type TestMailRow = InferEntity<typeof TestMail>;

/** Stores an unsent mail. Only the newest are kept. */
export function keepTestMail(
  everywhere: Rows<undefined>,
  mail: Pick<TestMailRow, 'recipient' | 'subject' | 'text'>,
): Promise<void> {
  return everywhere.transaction(async ({ em, TestMail }) => {
    await em.insert(TestMail, { id: newId('mail'), ...mail });
    const old = await em.find(TestMail, {}, { orderBy: { id: 'desc' }, offset: KEPT_MAX, limit: KEPT_MAX });
    if (old.length > 0) await em.nativeDelete(TestMail, { id: { $in: old.map(({ id }) => id) } });
  });
}

/** The test mails, newest first. */
export const listTestMails = (everywhere: Rows<undefined>): Promise<TestMailRow[]> =>
  everywhere.statement(({ em, TestMail }) => em.find(TestMail, {}, { orderBy: { createdAt: 'desc', id: 'desc' } }));
