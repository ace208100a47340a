/** What a test call hears, whatever is said. */
export const TEST_TRANSCRIPT = 'This is a test transcript.';
