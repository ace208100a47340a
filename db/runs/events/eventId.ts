const RUN_CHARACTERS = 22;
const SEQUENCE_CHARACTERS = 6;
const EVENT_ID = new RegExp(`^evt_([0-9A-Za-z]{${RUN_CHARACTERS}})([0-9a-z]{${SEQUENCE_CHARACTERS}})$`);

/** The id of a run's event: made of both, so that it needs no index and is the same whoever works it out. */
export function eventIdOf(runId: string, sequence: number): string {
  return `evt_${runId.slice('run_'.length)}${sequence.toString(36).padStart(SEQUENCE_CHARACTERS, '0')}`;
}

/** The run and the number that an event id names, or undefined when it has not the shape of one. */
export function parseEventId(id: string): { runId: string; sequence: number } | undefined {
  const parts = EVENT_ID.exec(id);
  return parts ? { runId: `run_${parts[1]}`, sequence: Number.parseInt(parts[2]!, 36) } : undefined;
}
