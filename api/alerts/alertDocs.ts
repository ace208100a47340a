import { ALERTS_MAX } from '../../db/alerts/alerts.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import * as headers from '../http/documentedHeaders.ts';
import { AlertAnswer, AlertChangeBody, AlertList, DeletedAlert, NewAlertBody } from './alertSchema.ts';

const ALERT = { id: 'Alert', schema: AlertAnswer };

/** Documentation of alerts. */
export const alertDocs = {
  list: {
    tag: 'Billing',
    summary: 'List alerts',
    description: 'Budgets and warnings of how long the balance lasts, each with what it watches now.',
    answer: { id: 'AlertList', schema: AlertList },
  },
  create: {
    tag: 'Billing',
    summary: 'Create an alert',
    description:
      '`spend` watches a budget of the workspace or of a key, `runway` how long the balance lasts. An alert stops nothing: the ' +
      '`spend_limit` of a key does. It is checked once a minute, and each percentage is told of once in a period: by the ' +
      `events \`alert.spend_reached\` and \`alert.runway_short\`, and by mail. At most ${ALERTS_MAX} for each workspace.`,
    input: {
      id: 'NewAlert',
      schema: NewAlertBody,
      example: { type: 'spend', amount_usd: 100, period: 'monthly', percentages: [50, 80, 100] },
    },
    headers: headers.ONCE,
    answer: ALERT,
    statuses: [201],
    errors: [404],
  },
  retrieve: { tag: 'Billing', summary: 'Read an alert', answer: ALERT },
  change: {
    tag: 'Billing',
    summary: 'Change an alert',
    description:
      'Changes what is sent. What was told in this period is not told again, unless it has to be reached anew.',
    input: { id: 'AlertChange', schema: AlertChangeBody, example: { amount_usd: 200 } },
    answer: ALERT,
  },
  remove: { tag: 'Billing', summary: 'Delete an alert', answer: { id: 'DeletedAlert', schema: DeletedAlert } },
} satisfies Record<string, RouteDoc>;
