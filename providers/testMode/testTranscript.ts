/** The transcript of any sound in test mode. */
export const TEST_TRANSCRIPT = 'This is a test transcript.';
