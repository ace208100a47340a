/** SQL: the product that a refused call asked for, by its route; null where it asked for none. A refusal came before its model was known. */
export const refusedProductSql = (route: string): string => `
case when ${route} ~ '/batches/' then 'batch'
  when ${route} ~ 'speech-to-speech' then 'voice_conversion'
  when ${route} ~ '(audio/speech|text-to-speech)' then 'speech'
  when ${route} ~ '(transcriptions|translations|speech-to-text)' then 'transcription'
  when ${route} ~ '/realtime' then 'realtime'
  when ${route} ~ '/embeddings$' then 'embeddings'
  when ${route} ~ '/(completions|responses)' then 'text'
  when ${route} ~ '^/(v1/runs|v1/mcp|a2a)' then 'agents' end`;
