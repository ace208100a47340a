/** Usage as OpenAI's answers carry it. */
export function usageOf(promptTokens: number, completionTokens: number) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

export interface StreamOptions {
  include_usage?: boolean | null;
  continuous_usage_stats?: boolean | null;
}

/** When a stream's chunks carry usage: running totals on each unless refused, so that a stream cut short can be billed exactly. */
export function usagePlan(options: StreamOptions | null | undefined): { isAsked: boolean; isRunning: boolean } {
  const isAsked = options?.include_usage === true;
  return { isAsked, isRunning: options?.continuous_usage_stats ?? isAsked };
}
