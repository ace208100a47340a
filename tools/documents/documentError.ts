/** A document that cannot be read or made. Its message is for the model. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
