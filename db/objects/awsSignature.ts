import { createHmac, hash } from 'node:crypto';

/** The signer, and the service and region it signs for. */
export interface Signer {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** A request to a store. The path and query of `url` are already escaped. */
export interface SignedRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** The SHA-256 of the body, in hexadecimal. */
  bodyHash: string;
}

/**
 * The headers of a request to a store with S3's protocol, signed with AWS Signature Version 4: see "Create a signed AWS API request" in
 * AWS's documentation.
 */
export function signedHeaders(
  { method, url, headers, bodyHash }: SignedRequest,
  { accessKeyId, secretAccessKey, region }: Signer,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  };
  const names = Object.keys(all).toSorted();
  const canonical = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256Of(canonical)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  const { host: _sentAnyway, ...sent } = all;
  return { ...sent, authorization };
}

/** The SHA-256 of bytes or a text, in hexadecimal. */
export const sha256Of = (content: Uint8Array | string): string => hash('sha256', content, 'hex');

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
