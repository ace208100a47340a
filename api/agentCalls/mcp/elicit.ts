import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequests,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../base/json.ts';
import type { RequiredAction } from '../../../db/entities/runStates.ts';
import { openActionsOf, type ActionAnswer } from '../../../db/runs/waiting/actions.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import { askedText } from '../asked.ts';

/** What a run waits for as elicitations of its client's user. Each is named by its step. */

type Request = ServerContext['mcpReq'];
type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

/** The name of the only question, as processes of an earlier version sent it. */
const EARLIER_NAME = 'answer';

const TEXT_FORM: Form = {
  type: 'object',
  properties: { text: { type: 'string', title: 'Answer' } },
  required: ['text'],
};

const DECISION_FORM: Form = {
  type: 'object',
  properties: {
    decision: { type: 'string', title: 'Decision', enum: ['approve', 'refuse'] },
    reason: { type: 'string', title: 'Reason', description: 'With a refusal: the agent reads it.' },
  },
  required: ['decision'],
};

/**
 * The questions and approvals that a client has not been asked yet: it shows all of them at once. Undefined when there is none, or the
 * client cannot ask its user: then they are answered by the tool `answer_run`.
 */
export function elicitationsOf(request: Request, run: RunRow): InputRequests | undefined {
  if (run.status !== 'requires_action' || !canAsk(request)) return undefined;
  const isAsked = (name: string) => request.inputResponses?.[name] !== undefined;
  const open = openActionsOf(run).filter(({ step_id: id }) => !isAsked(id as string) && !isAsked(EARLIER_NAME));
  const asked = open.flatMap((action) => {
    const requestedSchema = formOf(action);
    if (!requestedSchema) return [];
    const message = action.type === 'form' ? (action.question as string) : askedText(action);
    return [[action.step_id as string, inputRequired.elicit({ message, requestedSchema })] as const];
  });
  return asked.length > 0 ? Object.fromEntries(asked) : undefined;
}

// Clients of the editions with a handshake declare nothing in a call, so no process knows their capabilities.
function canAsk({ envelope }: Request): boolean {
  const declared = isObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const { elicitation }: ClientCapabilities = isObject(declared) ? declared : {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function formOf({ type, schema }: RequiredAction): Form | undefined {
  if (type === 'text') return TEXT_FORM;
  if (type === 'form') return schema as Form;
  return type === 'tool_approval' ? DECISION_FORM : undefined;
}

/** The answers in a repeated call. A declined approval is a refusal; a declined question stays open. */
export function elicitedAnswers({ inputResponses }: Request, run: RunRow): ActionAnswer[] {
  return openActionsOf(run).flatMap((action): ActionAnswer[] => {
    const stepId = action.step_id as string;
    const own = inputResponse(inputResponses, stepId);
    const response = own.kind === 'missing' ? inputResponse(inputResponses, EARLIER_NAME) : own;
    return response.kind === 'elicit' ? answerOf(action, stepId, response) : [];
  });
}

function answerOf(
  { type }: RequiredAction,
  step_id: string,
  { action, content = {} }: { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> },
): ActionAnswer[] {
  const isAccepted = action === 'accept';
  if (type === 'tool_approval') {
    if (action === 'cancel') return [];
    const { decision, reason } = content;
    const isApproved = isAccepted && decision === 'approve';
    const said = typeof reason === 'string' && reason !== '' ? { reason } : {};
    return [{ type, step_id, ...(isApproved ? { decision: 'approve' } : { decision: 'refuse', ...said }) }];
  }
  if (!isAccepted) return [];
  if (type === 'form') return [{ type, step_id, data: content }];
  return type === 'text' && typeof content.text === 'string' && content.text !== ''
    ? [{ type, step_id, text: content.text }]
    : [];
}
