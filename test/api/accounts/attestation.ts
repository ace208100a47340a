import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A value in CBOR (RFC 8949), of the kinds that a passkey's registration has. */
type Value = number | string | Buffer | readonly Value[] | Map<Value, Value>;

const [UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP] = [0, 1, 2, 3, 4, 5] as const;
// Of the flags: a user is present and verified, and a credential follows.
const FLAGS = 0x45;

/**
 * What a browser would send for a new passkey (WebAuthn), with the statement of an authenticator's maker that a test chooses: a browser asked
 * for none sends none.
 */
export function registrationOf(
  { challenge, origin, host }: { challenge: string; origin: string; host: string },
  { format, certificate }: { format: string; certificate: Buffer },
): object {
  const id = randomBytes(16);
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const coordinate = (text = '') => Buffer.from(text, 'base64url');
  const key = encode(new Map<Value, Value>([[1, 2], [3, -7], [-1, 1], [-2, coordinate(x)], [-3, coordinate(y)]])); // prettier-ignore
  const authData = Buffer.concat([
    createHash('sha256').update(host).digest(),
    Buffer.of(FLAGS),
    Buffer.alloc(20),
    Buffer.of(0, id.length),
    id,
    key,
  ]);
  const attestation = encode(
    new Map<Value, Value>([
      ['fmt', format],
      ['attStmt', new Map<Value, Value>([['x5c', [certificate]]])],
      ['authData', authData],
    ]),
  );
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false }));
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
  };
}

// A self-signed certificate whose list of revoked ones is at http://127.0.0.1:47199/ssrf-canary.
const CERTIFICATE =
  'MIIBgjCCASegAwIBAgIUHp1JqxJAtwIceV+lLQF/5Se0zewwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEZXZpbDAeFw0yNjExMjcyMjA3MTNaFw' +
  '0yNjEyMDcyMjA3MTNaMA8xDTALBgNVBAMMBGV2aWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATkfQQsKAVpkBNFTM2CCYZZx1H9FZwusTAv' +
  'h7CqLBRCYfJbY4fHBrclmHpZtOD1BGGdgN+IU8QBQoChPa0lFnfvo2EwXzAJBgNVHRMEAjAAMDMGA1UdHwQsMCowKKAmoCSGImh0dHA6Ly8xMj' +
  'cuMC4wLjE6NDcxOTkvc3NyZi1jYW5hcnkwHQYDVR0OBBYEFBZB4WLy9Jn/KqPsP/xabAZlMtV/MAoGCCqGSM49BAMCA0kAMEYCIQDcUeH7dTFK' +
  '7deqFxLeAoatiBIziCQDnnr7/Qw5ziMCDgIhAPcq+VH2NGJJoG9ZsQGWiPfkYIFFt1X9G7adyyfimHQ2';

/** A certificate that names a port of this machine as the place of its issuer's list of revoked certificates. */
export const certificateNaming = (port: number): Buffer =>
  Buffer.from(
    Buffer.from(CERTIFICATE, 'base64')
      .toString('latin1')
      .replace(':47199/', `:${String(port).padStart(5, '0')}/`),
    'latin1',
  );

function encode(value: Value): Buffer {
  if (typeof value === 'number') return value < 0 ? head(NEGATIVE, -1 - value) : head(UNSIGNED, value);
  if (typeof value === 'string') return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(BYTES, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([
      head(MAP, value.size),
      ...[...value].flatMap(([name, member]) => [encode(name), encode(member)]),
    ]);
  return Buffer.concat([head(ARRAY, value.length), ...value.map(encode)]);
}

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length);
  return length < 256 ? Buffer.of((kind << 5) | 24, length) : Buffer.of((kind << 5) | 25, length >> 8, length & 255);
}
