import { sql } from '@mikro-orm/core';
import { Account } from './Account.ts';
import { Agent } from './Agent.ts';
import { AgentVersion } from './AgentVersion.ts';
import { ApiKey } from './ApiKey.ts';
import { AuditEntry } from './AuditEntry.ts';
import { Deployment } from './Deployment.ts';
import { DeploymentComment } from './DeploymentComment.ts';
import { File } from './File.ts';
import { FileChunk } from './FileChunk.ts';
import { Hold } from './Hold.ts';
import { IdempotencyKey } from './IdempotencyKey.ts';
import { KeyDay } from './KeyDay.ts';
import { LedgerEntry } from './LedgerEntry.ts';
import { Namespace } from './Namespace.ts';
import { PlatformEvent } from './PlatformEvent.ts';
import { Plugin } from './Plugin.ts';
import { Process } from './Process.ts';
import { Request } from './Request.ts';
import { RequestProgress } from './RequestProgress.ts';
import { ResponseItem } from './ResponseItem.ts';
import { Run } from './Run.ts';
import { RunEvent } from './RunEvent.ts';
import { RunFeedback } from './RunFeedback.ts';
import { RunMeter } from './RunMeter.ts';
import { RunStep } from './RunStep.ts';
import { RunUsage } from './RunUsage.ts';
import { SaveOperation } from './SaveOperation.ts';
import { Secret } from './Secret.ts';
import { Session } from './Session.ts';
import { SessionEntry } from './SessionEntry.ts';
import { SettlementBatch } from './SettlementBatch.ts';
import { SpeechHistoryItem } from './SpeechHistoryItem.ts';
import { Voice } from './Voice.ts';
import { Workspace } from './Workspace.ts';

/** Every table by its entity's name. */
export const entities = {
  Account,
  Agent,
  AgentVersion,
  ApiKey,
  AuditEntry,
  Deployment,
  DeploymentComment,
  File,
  FileChunk,
  Hold,
  IdempotencyKey,
  KeyDay,
  LedgerEntry,
  Namespace,
  PlatformEvent,
  Plugin,
  Process,
  Request,
  RequestProgress,
  ResponseItem,
  Run,
  RunEvent,
  RunFeedback,
  RunMeter,
  RunStep,
  RunUsage,
  SaveOperation,
  Secret,
  Session,
  SessionEntry,
  SettlementBatch,
  SpeechHistoryItem,
  Voice,
  Workspace,
};

/** What a query asks of rows that may expire: that they have not, by the database's clock. */
export const unexpired = () => ({ $or: [{ expiresAt: null }, { expiresAt: { $gt: sql.now() } }] });
