import { MEDIA_BODY, TOKENS_BODY } from '../../../base/limits.ts';
import type { Json } from '../../../providers/provider.ts';
import type { Caller } from '../../caller.ts';
import { findModel } from '../../findModel.ts';
import type { CallServices } from '../../services.ts';
import type { TextEndpoint, TextOrder } from '../order.ts';
import { withFilesById } from '../parameters/filesById.ts';
import type { ParsedText } from '../parameters/parameters.ts';
import { identify, type AnswerIdentity, type StreamPresenter } from '../presenter.ts';
import { callOf } from '../textCall.ts';
import type { BilledUsage } from '../usage.ts';
import { createChatPresenter, presentChat } from './chat.ts';
import { parseChat } from './chatInput.ts';
import type { StreamedAnswer } from './choicePresenter.ts';
import { createCompletionsPresenter, presentCompletion } from './completions.ts';
import { parseCompletions } from './completionsInput.ts';

/** What differs between the endpoints whose answers are choices. */
interface ChoiceForm extends Pick<TextEndpoint<ParsedText>, 'limits' | 'parse'> {
  path: 'chat/completions' | 'completions';
  complete?: (caller: Caller, services: CallServices, input: ParsedText) => ParsedText | Promise<ParsedText>;
  present: (reply: Json, answer: AnswerIdentity & { usage: BilledUsage }) => object;
  presenter: (answer: StreamedAnswer) => StreamPresenter;
}

/** `POST /chat/completions`: a chat model's answer. */
export const chat = endpointOf({
  path: 'chat/completions',
  limits: MEDIA_BODY,
  parse: parseChat,
  complete: withFiles,
  present: presentChat,
  presenter: createChatPresenter,
});

/** `POST /completions`: the continuation of one or several prompts. */
export const completions = endpointOf({
  path: 'completions',
  limits: TOKENS_BODY,
  parse: parseCompletions,
  present: presentCompletion,
  presenter: createCompletionsPresenter,
});

/** The request with the files that it names by their ids. */
export function withFiles(
  caller: Caller,
  services: Pick<CallServices, 'db'>,
  parsed: ParsedText,
): ParsedText | Promise<ParsedText> {
  const sent = parsed.body.messages as object[];
  const found = withFilesById(caller, services, sent, 'messages');
  const complete = (messages: object[]) => ({ ...parsed, body: { ...parsed.body, messages } });
  return found instanceof Promise ? found.then(complete) : parsed;
}

function endpointOf({ path, limits, parse, complete, present, presenter }: ChoiceForm): TextEndpoint<ParsedText> {
  return {
    kind: 'text',
    limits,
    parse,
    callOf: (size, input, model) => callOf(size, input, model, path),
    order(caller, services, parsed) {
      const model = findModel(caller, services, parsed.model, 'text');
      const orderOf = (input: ParsedText): TextOrder => {
        const { choices, includeUsage } = input;
        const call = callOf(caller, input, model, path);
        const answer = identify(caller, model);
        return {
          call,
          presenter: input.stream ? presenter({ ...answer, choices, includeUsage }) : undefined,
          present: ({ reply, usage }) => present(reply, { ...answer, usage }),
        };
      };
      const completed = complete ? complete(caller, services, parsed) : parsed;
      return completed instanceof Promise ? completed.then(orderOf) : orderOf(completed);
    },
  };
}
