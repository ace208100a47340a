import type { RequestRow } from '../api/shapes.ts';

/** What to do about an error, with a link to where it is done. */
interface NextStep {
  text: string;
  link?: { to: string; label: string };
}

const BILLING = { to: '/billing', label: 'Add credit' };
const KEYS = { to: '/keys', label: 'Open keys' };
const DOCS = { to: '/docs/guides/models', label: 'Compare models' };

const STEPS: Record<string, NextStep> = {
  insufficient_balance: { text: 'Add credit, or send a smaller request: lower max_tokens.', link: BILLING },
  balance_held: {
    text: 'Wait for running calls to end, or add credit: held money that is not spent comes back.',
    link: BILLING,
  },
  key_spend_limit_reached: { text: 'Raise the key’s spend limit, wait for its reset, or use another key.', link: KEYS },
  project_spend_limit_reached: {
    text: 'Raise the spend limit of the key’s project, wait for its reset, or use a key of another project.',
    link: { to: '/projects', label: 'Open projects' },
  },
  client_secret_spend_limit_reached: { text: 'Make a new client secret.' },
  invalid_api_key: { text: 'Check the Authorization header and the base URL, or create a new key.', link: KEYS },
  scope_not_allowed: { text: 'Give the key access to this product, or use another key.', link: KEYS },
  ip_not_allowed: { text: 'Add the address to the key’s allowed IP addresses.', link: KEYS },
  agent_not_allowed: { text: 'Use a key that may run this agent.', link: KEYS },
  model_not_found: { text: 'Check the model’s name: the message names the nearest one.', link: DOCS },
  model_unavailable: { text: 'Use another model, or try again later.', link: DOCS },
  context_length_exceeded: {
    text: 'Shorten the prompt, lower max_tokens, or use a model with a larger context.',
    link: DOCS,
  },
  unsupported_parameter: { text: 'Leave the parameter out, or use a model that supports it.', link: DOCS },
  content_policy_violation: { text: 'Change the content: a retry is refused too.' },
  rate_limit_exceeded: { text: 'Retry after the seconds in retry-after, or raise the key’s rate limit.', link: KEYS },
  concurrency_limit_exceeded: { text: 'Wait for a call to end, or raise the key’s concurrent requests.', link: KEYS },
  provider_failed: { text: 'Retry with exponential backoff; use another model if it continues.', link: DOCS },
  provider_timeout: { text: 'Retry, with a smaller request if it happens again.' },
  overloaded: { text: 'Retry after the seconds in retry-after.' },
  internal_error: { text: 'Retry. If it continues, send the request ID to support.' },
};

const BY_STATUS: [status: number, step: NextStep][] = [
  [500, { text: 'Retry with exponential backoff.' }],
  [429, { text: 'Retry after the seconds in retry-after.' }],
  [
    400,
    {
      text: 'Change the request: it will fail again unchanged.',
      link: { to: '/docs/guides/errors', label: 'Errors explained' },
    },
  ],
];

/** The step for an error's code, or else for its status. */
export function nextStepFor(code: string, status: number): NextStep | undefined {
  return STEPS[code] ?? BY_STATUS.find(([least]) => status >= least)?.[1];
}

const KEPT_MS = 7 * 86_400_000;

/** Why a failed call shows no reason, and where it is. */
export function noReasonText(
  { product, started_at: at }: Pick<RequestRow, 'product' | 'started_at'>,
  nowMs: number,
): string {
  if (nowMs - Date.parse(at) > KEPT_MS) return 'The reason is no longer kept: 7 days have passed.';
  return product === 'batch' ? 'The error file of its batch has the reason of each line.' : 'No reason was recorded.';
}
