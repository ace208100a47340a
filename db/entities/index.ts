import { Account } from './Account.ts';
import { ApiKey } from './ApiKey.ts';
import { Hold } from './Hold.ts';
import { KeyDay } from './KeyDay.ts';
import { LedgerEntry } from './LedgerEntry.ts';
import { Process } from './Process.ts';
import { Request } from './Request.ts';
import { RequestProgress } from './RequestProgress.ts';
import { Workspace } from './Workspace.ts';

/** Every table, for the ORM and its migrations. */
export const entities = [Account, ApiKey, Hold, KeyDay, LedgerEntry, Process, Request, RequestProgress, Workspace];
