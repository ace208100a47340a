import { Migration } from '@mikro-orm/migrations';

export class Migration20261121133913_agents extends Migration {
  override name = 'Migration20261121133913_agents';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "agents" ("id" text not null, "workspace_id" text not null, "namespace" text not null, "slug" text not null, "draft_revision" int not null default 1, "draft" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "agents_workspace_id_index" on "agents" ("workspace_id");`);
    this.addSql(`alter table "agents" add constraint "agents_namespace_slug_unique" unique ("namespace", "slug");`);

    this.addSql(
      `create table "agent_versions" ("id" text not null, "workspace_id" text not null, "agent_id" text not null, "number" int not null, "label" text not null, "source_revision" int not null, "configuration" jsonb not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "agent_versions_workspace_id_index" on "agent_versions" ("workspace_id");`);
    this.addSql(
      `alter table "agent_versions" add constraint "agent_versions_agent_number_unique" unique ("agent_id", "number");`,
    );
    this.addSql(
      `alter table "agent_versions" add constraint "agent_versions_agent_label_unique" unique ("agent_id", "label");`,
    );

    this.addSql(
      `create table "audit_entries" ("id" text not null, "workspace_id" text null, "key_id" text not null, "action" text not null, "subject_type" text not null, "subject_id" text not null, "detail" jsonb not null default '{}', "request_id" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "audit_entries_subject_id_index" on "audit_entries" ("subject_id");`);

    this.addSql(
      `create table "deployments" ("id" text not null, "workspace_id" text not null, "agent_id" text not null, "version_id" text not null, "visibility" text not null, "status" text not null, "review_feedback" jsonb not null default '[]', "created_at" timestamptz not null default now(), "activated_at" timestamptz null, "decided_at" timestamptz null, "review_started_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "deployments_workspace_id_index" on "deployments" ("workspace_id");`);
    this.addSql(
      `create unique index deployments_live_unique on deployments (agent_id, visibility) where status in ('active', 'suspended');`,
    );
    this.addSql(`create unique index deployments_review_unique on deployments (agent_id) where status = 'in_review';`);
    this.addSql(`create index deployments_agent_index on deployments (agent_id, created_at);`);

    this.addSql(
      `create table "deployment_comments" ("id" text not null, "workspace_id" text not null, "deployment_id" text not null, "author" text not null, "message" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "deployment_comments_deployment_id_index" on "deployment_comments" ("deployment_id");`);

    this.addSql(
      `create table "files" ("id" text not null, "workspace_id" text not null, "purpose" text not null, "filename" text not null, "media_type" text not null, "size_bytes" bigint not null, "sha256" bytea not null, "created_at" timestamptz not null default now(), "expires_at" timestamptz null, "deleted_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index files_workspace_index on files (workspace_id, created_at, id);`);
    this.addSql(`create index files_expiry_index on files (expires_at) where expires_at is not null;`);

    this.addSql(
      `create table "file_chunks" ("file_id" text not null, "position" int not null, "workspace_id" text not null, "bytes" bytea not null, primary key ("file_id", "position"));`,
    );

    this.addSql(
      `create table "idempotency_keys" ("workspace_id" text not null, "route" text not null, "key" text not null, "fingerprint" bytea not null, "resource_id" text not null, "running_until" timestamptz not null, "status" int null, "headers" jsonb null, "body" text null, "created_at" timestamptz not null default now(), primary key ("workspace_id", "route", "key"));`,
    );
    this.addSql(`create index "idempotency_keys_created_at_index" on "idempotency_keys" ("created_at");`);

    this.addSql(
      `create table "namespaces" ("name" text not null, "workspace_id" text not null, "provider_name" text not null, "verified" boolean not null default false, "website" text null, "created_at" timestamptz not null default now(), primary key ("name"));`,
    );
    this.addSql(`create index "namespaces_workspace_id_index" on "namespaces" ("workspace_id");`);

    this.addSql(
      `create table "plugins" ("id" text not null, "version" text not null, "name" text not null, "url" text not null, "headers" jsonb not null default '{}', "created_at" timestamptz not null default now(), "disabled_at" timestamptz null, primary key ("id", "version"));`,
    );

    this.addSql(
      `create table "runs" ("id" text not null, "workspace_id" text not null, "key_id" text not null, "account_id" text not null, "publisher_workspace_id" text not null, "agent_id" text not null, "agent" text not null, "agent_name" text not null, "version_id" text not null, "version" text not null, "session_id" text not null, "visibility" text not null, "status" text not null default 'queued', "status_reason" text null, "input" jsonb not null, "output" jsonb not null default '[]', "required_action" jsonb null, "error" jsonb null, "fault" text null, "limit" jsonb null, "on_limit" text not null, "on_disconnect" text not null, "if_session_busy" text not null, "waiting" boolean not null default false, "timeout_seconds" int not null, "start_at" timestamptz not null, "source" text not null, "metadata" jsonb not null default '{}', "webhook_url" text null, "webhook_events" text[] null, "rate_card" jsonb not null, "max_cost_nanos" bigint not null, "minimum_cost_nanos" bigint not null, "hold_id" text not null, "held_nanos" bigint not null, "meters" jsonb not null default '{}', "subtotal_nanos" bigint not null default '0', "network_fee_nanos" bigint not null default '0', "total_nanos" bigint not null default '0', "absorbed_nanos" bigint not null default '0', "settled_at" timestamptz null, "last_sequence" int not null default 0, "created_at" timestamptz not null default now(), "started_at" timestamptz null, "completed_at" timestamptz null, "cancel_requested_at" timestamptz null, "cancel_reason" text null, "cancel_mode" text null, "workflow_started_at" timestamptz null, "cancel_delivered_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index runs_workspace_index on runs (workspace_id, created_at, id);`);
    this.addSql(`create index runs_session_index on runs (session_id, created_at);`);
    this.addSql(`create index runs_open_index on runs (created_at) where settled_at is null;`);
    this.addSql(`create index runs_settled_index on runs (workspace_id, settled_at) where settled_at is not null;`);
    this.addSql(`create index runs_agent_settled_index on runs (agent_id, settled_at) where settled_at is not null;`);

    this.addSql(
      `create table "run_events" ("run_id" text not null, "sequence" int not null, "workspace_id" text not null, "type" text not null, "data" jsonb not null, "created_at" timestamptz not null default now(), primary key ("run_id", "sequence"));`,
    );

    this.addSql(
      `create table "run_feedback" ("run_id" text not null, "author_id" text not null, "id" text not null, "workspace_id" text not null, "outcome" text not null, "reason" text not null, "source" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("run_id", "author_id"));`,
    );

    this.addSql(
      `create table "run_meters" ("run_id" text not null, "step" int not null, "meter" text not null, "workspace_id" text not null, "quantity_thousandths" bigint not null, primary key ("run_id", "step", "meter"));`,
    );

    this.addSql(
      `create table "run_steps" ("run_id" text not null, "step" int not null, "workspace_id" text not null, "id" text not null, "kind" text not null, "name" text not null, "state" text not null default 'started', "attempt" int not null default 1, "result" jsonb null, "started_at" timestamptz not null default now(), "ended_at" timestamptz null, primary key ("run_id", "step"));`,
    );

    this.addSql(
      `create table "run_usage" ("run_id" text not null, "meter" text not null, "workspace_id" text not null, "unit" text not null, "quantity_thousandths" bigint not null, "cost_nanos" bigint not null, "settled_at" timestamptz not null, primary key ("run_id", "meter"));`,
    );
    this.addSql(`create index run_usage_workspace_index on run_usage (workspace_id, settled_at);`);

    this.addSql(
      `create table "save_operations" ("id" text not null, "workspace_id" text not null, "session_id" text not null, "run_id" text not null, "tool_step_id" text not null, "last_committed_generation" int not null, "state" text not null default 'saving', "recovery" text not null default 'none', "error" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index save_operations_session_index on save_operations (session_id, created_at);`);

    this.addSql(
      `create table "sessions" ("id" text not null, "workspace_id" text not null, "title" text null, "metadata" jsonb not null default '{}', "directory_generation" int not null default 0, "stored_bytes" bigint not null default '0', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index sessions_workspace_index on sessions (workspace_id, created_at, id);`);

    this.addSql(
      `create table "session_entries" ("id" text not null, "workspace_id" text not null, "session_id" text not null, "parent_id" text null, "name" text not null, "kind" text not null, "file_id" text null, "revision_id" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create unique index session_entries_name_unique on session_entries (session_id, parent_id, name) nulls not distinct;`,
    );
    this.addSql(`create index session_entries_parent_index on session_entries (parent_id);`);
    this.addSql(`create index session_entries_file_index on session_entries (file_id);`);

    this.addSql(`alter table "holds" drop constraint "holds_kind_check";`);
    this.addSql(`alter table "holds" add constraint "holds_kind_check" check (kind in ('slice', 'request', 'run'));`);

    this.addSql(
      `alter table "deployments" add constraint "deployments_visibility_check" check (visibility in ('private', 'public'));`,
    );
    this.addSql(
      `alter table "deployments" add constraint "deployments_status_check" check (status in ('in_review', 'changes_requested', 'rejected', 'withdrawn', 'active', 'superseded', 'suspended'));`,
    );

    this.addSql(
      `alter table "deployment_comments" add constraint "deployment_comments_author_check" check (author in ('publisher', 'operator'));`,
    );

    this.addSql(
      `alter table "runs" add constraint "runs_status_check" check (status in ('queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed'));`,
    );
    this.addSql(
      `alter table "runs" add constraint "runs_cost_check" check (total_nanos = subtotal_nanos + network_fee_nanos and total_nanos <= max_cost_nanos and absorbed_nanos >= 0);`,
    );
    this.addSql(
      `alter table "runs" add constraint "runs_settled_check" check ((status in ('completed', 'limit_reached', 'cancelled', 'failed')) = (settled_at is not null));`,
    );

    this.addSql(
      `alter table "run_steps" add constraint "run_steps_kind_check" check (kind in ('model', 'tool', 'sandbox', 'file'));`,
    );
    this.addSql(
      `alter table "run_steps" add constraint "run_steps_state_check" check (state in ('started', 'completed', 'failed'));`,
    );

    this.addSql(
      `alter table "save_operations" add constraint "save_operations_state_check" check (state in ('saving', 'saved', 'failed'));`,
    );
    this.addSql(
      `alter table "save_operations" add constraint "save_operations_recovery_check" check (recovery in ('none', 'retrying', 'required'));`,
    );

    this.addSql(
      `alter table "session_entries" add constraint "session_entries_kind_check" check (kind in ('file', 'directory'));`,
    );
    this.addSql(
      `alter table "session_entries" add constraint "session_entries_file_check" check ((kind = 'file') = (file_id is not null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "agents" cascade;`);
    this.addSql(`drop table if exists "agent_versions" cascade;`);
    this.addSql(`drop table if exists "audit_entries" cascade;`);
    this.addSql(`drop table if exists "deployments" cascade;`);
    this.addSql(`drop table if exists "deployment_comments" cascade;`);
    this.addSql(`drop table if exists "files" cascade;`);
    this.addSql(`drop table if exists "file_chunks" cascade;`);
    this.addSql(`drop table if exists "idempotency_keys" cascade;`);
    this.addSql(`drop table if exists "namespaces" cascade;`);
    this.addSql(`drop table if exists "plugins" cascade;`);
    this.addSql(`drop table if exists "runs" cascade;`);
    this.addSql(`drop table if exists "run_events" cascade;`);
    this.addSql(`drop table if exists "run_feedback" cascade;`);
    this.addSql(`drop table if exists "run_meters" cascade;`);
    this.addSql(`drop table if exists "run_steps" cascade;`);
    this.addSql(`drop table if exists "run_usage" cascade;`);
    this.addSql(`drop table if exists "save_operations" cascade;`);
    this.addSql(`drop table if exists "sessions" cascade;`);
    this.addSql(`drop table if exists "session_entries" cascade;`);

    this.addSql(`alter table "holds" drop constraint "holds_kind_check";`);
    this.addSql(`alter table "holds" add constraint "holds_kind_check" check (kind in ('slice', 'request'));`);
  }
}
