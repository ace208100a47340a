import type { ComponentType } from 'react';
import type { Role } from './api/me.ts';
import * as icons from './shell/icons.ts';

/** One page: its address (TanStack Router's form: `/runs/$id`), and its loader. */
export interface PageEntry {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Its title, where the menu has a shorter name or none. */
  title?: string;
  /** Its line in the sidebar, or in the menu of the workspace; a page without one is reached from others. */
  menu?: {
    label: string;
    icon: ComponentType;
    group: 'Overview' | 'Build' | 'Agents' | 'Money' | 'Workspace';
  };
  /** About the whole workspace: nothing for a person who is limited to projects. */
  isOfWorkspace?: boolean;
  /** Who sees it in the sidebar; everybody when omitted. The API decides, whatever is shown. */
  roles?: Role[];
  isForOperators?: boolean;
  /** Shown without a session, and without the sidebar. */
  isPublic?: boolean;
}

/** A page with a line in a menu. */
export type MenuItem = PageEntry & { menu: NonNullable<PageEntry['menu']> };

/** Who may call models and run agents: these pages show nothing to others. */
const CALLERS: Role[] = ['owner', 'developer', 'publisher'];

export const pages: PageEntry[] = [
  {
    path: '/',
    load: () => import('./home/HomePage.tsx'),
    menu: { label: 'Home', icon: icons.Home, group: 'Overview' },
  },
  {
    path: '/usage',
    load: () => import('./usage/UsagePage.tsx'),
    menu: { label: 'Usage', icon: icons.Usage, group: 'Overview' },
  },
  {
    path: '/requests',
    load: () => import('./requests/RequestsPage.tsx'),
    menu: { label: 'Requests', icon: icons.Requests, group: 'Overview' },
  },
  { path: '/requests/$id', load: () => import('./requests/RequestPage.tsx') },
  {
    path: '/playground',
    load: () => import('./playground/PlaygroundPage.tsx'),
    menu: { label: 'Playground', icon: icons.Playground, group: 'Build' },
    roles: CALLERS,
  },
  {
    path: '/models',
    load: () => import('./models/ModelsPage.tsx'),
    menu: { label: 'Models', icon: icons.Models, group: 'Build' },
  },
  { path: '/models/$id', load: () => import('./models/ModelPage.tsx') },
  {
    path: '/voices',
    load: () => import('./voices/VoicesPage.tsx'),
    menu: { label: 'Voices', icon: icons.Voices, group: 'Build' },
    roles: CALLERS,
  },
  {
    path: '/keys',
    load: () => import('./keys/KeysPage.tsx'),
    menu: { label: 'Keys', icon: icons.Keys, group: 'Build' },
  },
  {
    path: '/projects',
    load: () => import('./projects/ProjectsPage.tsx'),
    menu: { label: 'Projects', icon: icons.Projects, group: 'Build' },
  },
  { path: '/projects/$id', load: () => import('./projects/ProjectPage.tsx') },
  {
    path: '/batches',
    load: () => import('./batches/BatchesPage.tsx'),
    menu: { label: 'Batches', icon: icons.Batches, group: 'Build' },
    roles: ['owner', 'developer'],
  },
  { path: '/batches/$id', load: () => import('./batches/BatchPage.tsx') },
  {
    path: '/files',
    title: 'Files and sessions',
    load: () => import('./files/FilesPage.tsx'),
    menu: { label: 'Files', icon: icons.Files, group: 'Build' },
    roles: CALLERS,
  },
  { path: '/sessions/$id', load: () => import('./files/SessionPage.tsx') },
  {
    path: '/webhooks',
    load: () => import('./webhooks/WebhooksPage.tsx'),
    menu: { label: 'Webhooks', icon: icons.Webhooks, group: 'Build' },
    isOfWorkspace: true,
  },
  { path: '/webhooks/$id', load: () => import('./webhooks/EndpointPage.tsx') },
  {
    path: '/plugins',
    load: () => import('./plugins/PluginsPage.tsx'),
    menu: { label: 'Plugins', icon: icons.Plugins, group: 'Build' },
  },
  { path: '/device', title: 'Log in a program', load: () => import('./device/DevicePage.tsx') },
  { path: '/plugins/signed-in', load: () => import('./plugins/SignedInPage.tsx') },
  {
    path: '/agents',
    load: () => import('./agents/AgentsPage.tsx'),
    menu: { label: 'Agents', icon: icons.Agents, group: 'Agents' },
  },
  { path: '/agents/$namespace/$slug', load: () => import('./agents/AgentPage.tsx') },
  {
    path: '/runs',
    load: () => import('./runs/RunsPage.tsx'),
    menu: { label: 'Runs', icon: icons.Runs, group: 'Agents' },
    roles: CALLERS,
  },
  { path: '/runs/flow', title: 'Flow control', load: () => import('./flow/FlowPage.tsx'), roles: CALLERS },
  { path: '/runs/$id', load: () => import('./runs/RunPage.tsx') },
  { path: '/runs/$id/compare/$other', load: () => import('./runs/ComparePage.tsx') },
  {
    path: '/memories',
    load: () => import('./memories/MemoriesPage.tsx'),
    menu: { label: 'Memories', icon: icons.Memories, group: 'Agents' },
    roles: CALLERS,
  },
  {
    path: '/schedules',
    load: () => import('./schedules/SchedulesPage.tsx'),
    menu: { label: 'Schedules', icon: icons.Schedules, group: 'Agents' },
    roles: CALLERS,
  },
  { path: '/schedules/$id', load: () => import('./schedules/SchedulePage.tsx') },
  {
    path: '/publish',
    load: () => import('./publish/PublishPage.tsx'),
    menu: { label: 'Publish', icon: icons.Publish, group: 'Agents' },
    roles: ['owner', 'publisher'],
  },
  {
    path: '/publish/$id',
    load: () => import('./publish/PublishedAgentPage.tsx'),
    roles: ['owner', 'publisher'],
  },
  {
    path: '/billing',
    load: () => import('./billing/BillingPage.tsx'),
    menu: { label: 'Billing', icon: icons.Billing, group: 'Money' },
    isOfWorkspace: true,
  },
  {
    path: '/explain',
    load: () => import('./requests/ExplainPage.tsx'),
    menu: { label: 'Explain a cent', icon: icons.Explain, group: 'Money' },
  },
  {
    path: '/settings',
    load: () => import('./settings/SettingsPage.tsx'),
    menu: { label: 'Settings', icon: icons.Settings, group: 'Workspace' },
  },
  {
    path: '/operate',
    load: () => import('./operate/OperatePage.tsx'),
    menu: { label: 'Operate', icon: icons.Operate, group: 'Workspace' },
    isForOperators: true,
  },
  { path: '/operate/models/$id', load: () => import('./catalog/CatalogModelPage.tsx'), isForOperators: true },
  {
    path: '/operate/agent-model',
    title: 'Model of agents',
    load: () => import('./starters/AgentModelPage.tsx'),
    isForOperators: true,
  },
  { path: '/operate/reviews/$id', load: () => import('./operate/ReviewPage.tsx'), isForOperators: true },
  { path: '/sign-in', title: 'Sign in', load: () => import('./account/SignInPage.tsx'), isPublic: true },
  { path: '/sign-up', title: 'Create an account', load: () => import('./account/SignUpPage.tsx'), isPublic: true },
  {
    path: '/forgot-password',
    title: 'Forgot your password?',
    load: () => import('./account/ForgotPasswordPage.tsx'),
    isPublic: true,
  },
  {
    path: '/reset-password',
    title: 'Set a new password',
    load: () => import('./account/ResetPasswordPage.tsx'),
    isPublic: true,
  },
  { path: '/confirm-link', title: 'Confirm', load: () => import('./account/ConfirmLinkPage.tsx'), isPublic: true },
  {
    path: '/invitations/$id',
    title: 'You are invited',
    load: () => import('./account/InvitationPage.tsx'),
    isPublic: true,
  },
];
