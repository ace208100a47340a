/** The ways to send a key; any one of them is enough on every route. */
export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
  xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'x-api-key: <API_KEY>' },
  xiApiKey: { type: 'apiKey', in: 'header', name: 'xi-api-key', description: 'xi-api-key: <API_KEY>' },
};
