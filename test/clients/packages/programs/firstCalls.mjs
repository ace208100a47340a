// A customer's first program: a call that is answered, and one that is refused.
import { AuthenticationError, Ledgerline } from 'ledgerline';
const client = new Ledgerline();
const { data } = await client.api.GET('/v1/models');
const refused = await new Ledgerline({ apiKey: 'sk_live_unknown' }).api.GET('/v1/models').catch((error) => error);
console.log(JSON.stringify([data.object, refused instanceof AuthenticationError, refused.status]));
