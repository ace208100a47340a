import { sql } from '@mikro-orm/core';
import * as agent from './agent.ts';
import * as ledger from './ledger.ts';
import * as payment from './payment.ts';
import * as run from './run.ts';
import * as session from './session.ts';
import * as voice from './voice.ts';
import * as workspace from './workspace.ts';

/** Every table by its entity's name: all exports of the files of this folder. */
export const entities = { ...workspace, ...ledger, ...payment, ...agent, ...run, ...session, ...voice };

/** The condition for rows that may expire: they have not, by the database's clock. */
export const unexpired = () => ({ $or: [{ expiresAt: null }, { expiresAt: { $gt: sql.now() } }] });
