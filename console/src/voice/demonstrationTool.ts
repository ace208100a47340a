/** A tool answered by this page, so that a conversation shows how calls work. */
export const DEMONSTRATION_TOOL = {
  type: 'function',
  name: 'get_time',
  description: 'Returns the current date and time.',
  parameters: {
    type: 'object',
    properties: {
      time_zone: { type: 'string', description: 'Its IANA name, such as Europe/Paris. Default: the zone of the user.' },
    },
    additionalProperties: false,
  },
} as const;

/** The answer to a call of the model, as JSON text. An error is an answer too, so that the model can explain it or call again. */
export function answerCall(name: string, given: string): string {
  if (name !== DEMONSTRATION_TOOL.name) return JSON.stringify({ error: `There is no tool '${name}'.` });
  try {
    const { time_zone: asked } = JSON.parse(given || '{}') as { time_zone?: string };
    const timeZone = asked || Intl.DateTimeFormat().resolvedOptions().timeZone;
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' });
    return JSON.stringify({ time: format.format(new Date()), time_zone: timeZone });
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message });
  }
}
