create table namespaces (
  name text primary key, workspace_id text not null, provider_name text not null, verified boolean not null default false,
  website text, created_at timestamptz not null default now()
);
create index namespaces_workspace_id_index on namespaces (workspace_id);

create table agents (
  id text primary key, workspace_id text not null, namespace text not null, slug text not null, draft_revision int not null default 1,
  draft jsonb not null, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  subsidised_at timestamptz, shipped_revision int,
  constraint agents_namespace_slug_unique unique (namespace, slug)
);
create index agents_workspace_id_index on agents (workspace_id);

create table agent_versions (
  id text primary key, workspace_id text not null, agent_id text not null, number int not null, label text not null,
  source_revision int not null, configuration jsonb not null, created_at timestamptz not null default now(),
  constraint agent_versions_agent_label_unique unique (agent_id, label),
  constraint agent_versions_agent_number_unique unique (agent_id, number)
);
create index agent_versions_workspace_id_index on agent_versions (workspace_id);

create table deployments (
  id text primary key, workspace_id text not null, agent_id text not null, version_id text not null, visibility text not null,
  status text not null, review_feedback jsonb not null default '[]', created_at timestamptz not null default now(),
  activated_at timestamptz, decided_at timestamptz, review_started_at timestamptz, move_request_id text, suspended_at timestamptz,
  rollout_state text, rollout_percentage int not null default 100, rollout_started_at timestamptz, effective_at timestamptz,
  rollout_reason text, announced_at timestamptz, rollout_checked_at timestamptz, rollout_steps jsonb,
  rollout_step_started_at timestamptz, test_review text,
  constraint deployments_effective_check check (rollout_state <> 'scheduled' or effective_at is not null),
  constraint deployments_percentage_check check (rollout_percentage >= 1 and rollout_percentage <= 100),
  constraint deployments_rollout_check check (rollout_state in ('scheduled', 'rolling', 'complete', 'rolled_back')),
  constraint deployments_status_check check (
    status in ('in_review', 'changes_requested', 'rejected', 'withdrawn', 'active', 'superseded', 'suspended')),
  constraint deployments_visibility_check check (visibility in ('private', 'public'))
);
create index deployments_agent_index on deployments (agent_id, created_at);
create unique index deployments_live_unique on deployments (agent_id, visibility)
  where status in ('active', 'suspended') and coalesce(rollout_state, 'complete') = 'complete';
create unique index deployments_review_unique on deployments (agent_id) where status = 'in_review';
create unique index deployments_rollout_unique on deployments (agent_id)
  where status = 'active' and rollout_state in ('scheduled', 'rolling');
create index deployments_workspace_id_index on deployments (workspace_id);

create table deployment_comments (
  id text primary key, workspace_id text not null, deployment_id text not null, author text not null, message text not null,
  created_at timestamptz not null default now(),
  constraint deployment_comments_author_check check (author in ('publisher', 'operator'))
);
create index deployment_comments_deployment_id_index on deployment_comments (deployment_id);
create index deployment_comments_workspace_id_index on deployment_comments (workspace_id);

create table review_trials (
  deployment_id text not null, kind text not null, index int not null, workspace_id text not null, run_id text, live_run_id text,
  created_at timestamptz not null default now(),
  primary key (deployment_id, kind, index),
  constraint review_trials_kind_check check (kind in ('example', 'probe'))
);
create index review_trials_workspace_id_index on review_trials (workspace_id);
