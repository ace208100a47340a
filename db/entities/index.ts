import { sql } from '@mikro-orm/core';
import * as agent from './agent.ts';
import * as alert from './alert.ts';
import * as batch from './batch.ts';
import * as archive from './archive.ts';
import * as bill from './bill.ts';
import * as channel from './channel.ts';
import * as content from './content.ts';
import * as catalog from './catalog.ts';
import * as deviceLogin from './deviceLogin.ts';
import * as erasure from './erasure.ts';
import * as httpTool from './httpTool.ts';
import * as flow from './flow.ts';
import * as evaluation from './evaluation.ts';
import * as event from './event.ts';
import * as invoice from './invoice.ts';
import * as ledger from './ledger.ts';
import * as months from './months.ts';
import * as overview from './overview.ts';
import * as payment from './payment.ts';
import * as person from './person.ts';
import * as plugin from './plugin.ts';
import * as project from './project.ts';
import * as quote from './quote.ts';
import * as publishedRun from './publishedRun.ts';
import * as rotation from './rotation.ts';
import * as run from './run.ts';
import * as schedule from './schedule.ts';
import * as session from './session.ts';
import * as singleSignOn from './singleSignOn.ts';
import * as state from './state.ts';
import * as usage from './usage.ts';
import * as voice from './voice.ts';
import * as webhook from './webhook.ts';
import * as workspace from './workspace.ts';

/** Every table by its entity's name: all exports of this folder's files. */
export const entities = {
  ...workspace,
  ...ledger,
  ...payment,
  ...person,
  ...agent,
  ...alert,
  ...batch,
  ...archive,
  ...bill,
  ...channel,
  ...content,
  ...catalog,
  ...deviceLogin,
  ...erasure,
  ...httpTool,
  ...flow,
  ...evaluation,
  ...event,
  ...invoice,
  ...months,
  ...overview,
  ...plugin,
  ...project,
  ...quote,
  ...publishedRun,
  ...rotation,
  ...run,
  ...schedule,
  ...session,
  ...singleSignOn,
  ...state,
  ...usage,
  ...voice,
  ...webhook,
};

/** The condition for rows that have not expired, by the time of their workspace. */
export const unexpired = () => ({ $or: [{ expiresAt: null }, { expiresAt: { $gt: sql`ledger_now(workspace_id)` } }] });
