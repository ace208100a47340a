import { estimatePromptTokens } from '../../providers/tokens.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { answerOnce } from './answerOnce.ts';
import { findModel } from './models.ts';
import { refuseOversizedPrompt } from './oversizedPrompt.ts';
import { presentEmbeddings } from './presentEmbeddings.ts';
import type { ParsedEmbeddings } from './schema/embeddings.ts';
import { tariffOf } from './tariff.ts';

/** `POST /embeddings`: a vector for each input. Bills input tokens alone. */
export function createEmbeddings(services: Services): Handler {
  return async (ctx) => {
    const { body, model: name, encodingFormat } = ctx.state.input as ParsedEmbeddings;
    const model = findModel(ctx, services, name, 'embedding');
    refuseOversizedPrompt(model, body.input, 'input');
    const call = {
      route: ctx.state.route,
      path: 'embeddings' as const,
      model: tariffOf(model, 'embeddings', body),
      body,
      bodyBytes: ctx.state.bodyBytes,
      estimatedPromptTokens: estimatePromptTokens(ctx.state.bodyBytes),
      outputTokensMax: 0,
      choices: 1,
    };
    await answerOnce(ctx, services, call, ({ reply, usage }) => {
      ctx.body = presentEmbeddings(reply, { modelId: model.id, encodingFormat, usage });
    });
  };
}
