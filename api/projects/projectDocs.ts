import { PROJECTS_MAX } from '../../db/projects/projects.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import {
  MemberAnswer,
  MemberList,
  MemberProjectsBody,
  NewProjectBody,
  ProjectAnswer,
  ProjectChangeBody,
  ProjectList,
} from './projectSchema.ts';

const PROJECT = { id: 'Project', schema: ProjectAnswer };

/** Documentation of projects. */
export const projectDocs = {
  list: {
    tag: 'Projects',
    summary: 'List projects',
    description:
      'The default project, then the others, the oldest first. A key of a project, and a member who is limited to projects, see those alone: ' +
      'also of keys, requests, usage and runs.',
    answer: { id: 'ProjectList', schema: ProjectList },
  },
  create: {
    tag: 'Projects',
    summary: 'Create a project',
    description:
      'A part of the workspace with keys, usage and a ceiling of its own. A key belongs to one project, and each call to the project that its ' +
      'key had when it was made. The balance stays that of the workspace. ' +
      `At most ${PROJECTS_MAX} for each workspace, archived ones included; test mode has its own.`,
    input: {
      id: 'NewProject',
      schema: NewProjectBody,
      example: { name: 'Support bot', spend_limit: 200, spend_limit_period: 'monthly' },
    },
    headers: headers.ONCE,
    answer: PROJECT,
    statuses: [201],
  },
  retrieve: { tag: 'Projects', summary: 'Read a project', answer: PROJECT },
  change: {
    tag: 'Projects',
    summary: 'Change, archive or restore a project',
    description:
      'Changes what is sent. With `status` `archived`, its keys are refused within a second: 401 `project_archived`. What it used stays ' +
      'readable, and `active` restores it. Projects are never deleted.',
    input: { id: 'ProjectChange', schema: ProjectChangeBody, example: { spend_limit: 500 } },
    answer: PROJECT,
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;

/** Documentation of members' limits, on the console. */
export const memberDocs = {
  list: {
    tag: 'Projects',
    summary: 'List the members, and the projects that they are limited to',
    answer: { id: 'MemberList', schema: MemberList },
  },
  change: {
    tag: 'Projects',
    summary: 'Limit a member to projects',
    description:
      'For owners. The member then sees and makes only the keys of these projects, and sees only their requests, usage and runs. Calls from ' +
      'the console with their session belong to the first of them.',
    input: { id: 'MemberProjects', schema: MemberProjectsBody, example: { project_ids: ['proj_4Nd8qSz1'] } },
    answer: { id: 'Member', schema: MemberAnswer },
    errors: [404, 409],
  },
} satisfies Record<string, RouteDoc>;
