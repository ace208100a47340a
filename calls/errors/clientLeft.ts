/** The client disconnected before its answer: no fault of the service, and nobody reads an error. */
export class ClientLeft extends Error {
  override name = 'ClientLeft';
}
