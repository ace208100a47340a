import type { Guide } from './html.ts';

/** What plugins need of the workspaces whose runs use them. */
export const plugins: Guide = {
  id: 'plugins',
  title: 'Give plugins what they need',
  parts: [
    'Agents use external tool servers (MCP) as plugins, which an operator has registered. Some act for you: they need a secret of yours, such as an API key. You give it once for all agents that use the plugin, with a key of the scope `manage` or in the console. It is sealed: only workers open it, and neither agents nor their publishers see it.',
    {
      code: `curl -sS -X PUT "$BASE_URL/v1/plugins/mailer/secrets" -H "Authorization: Bearer $MANAGEMENT_KEY" \\
  -H "Content-Type: application/json" -d '{"secrets": {"api_key": "EXAMPLE-0001"}}'`,
    },
    'To other plugins a workspace signs in once (OAuth 2.1 with PKCE): a member opens “Plugins” in the console, chooses “Connect”, and grants the access at the plugin’s own authorization server. `GET /v1/plugins` lists what plugins need of you and what they have, `GET /v1/plugins/{plugin_id}/sign-in` shows the account, and `DELETE` ends the use at once and revokes the tokens. Tokens are renewed before they end. They serve your workspace alone, at the address where you signed in.',
    'A run whose plugin lacks something asks for it: it is `requires_action`, holds only what it has consumed, and goes on by itself when you have given it. Nothing is sent to `POST /v1/runs/{run_id}/input`, because what a plugin needs is not part of a run. Without it the run ends after 24 hours as `limit_reached`.',
    {
      head: ['`required_action`', 'Members'],
      rows: [
        [
          '`plugin_secret`',
          '`plugin`, `version`, `secret` (its name), `message` (how it is given), `url` (the page of the console)',
        ],
        ['`plugin_sign_in`', '`plugin`, `version`, `message`, `url` (the page of the console where a member signs in)'],
      ],
    },
    'Where nobody can answer, a run is not left waiting. Chat completions and responses with an agent as `model` answer 400 `plugin_secret_missing` or `plugin_sign_in_missing`; should it be missing only later, the message is the answer and the run is cancelled. The runs that another agent starts, and the trials of a review, fail as `plugin_unavailable`. Over A2A such a task is `TASK_STATE_AUTH_REQUIRED`.',
  ],
};
