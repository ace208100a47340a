import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

// The required parts of X.509 (RFC 5280), in DER.
const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, id: 6, utf8: 12, time: 24, sequence: 0x30, set: 0x31 };
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const COMMON_NAME = id(0x55, 0x04, 0x03);
const ALTERNATIVE_NAMES = id(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = id(0x55, 0x1d, 0x13);
const ECDSA_WITH_SHA256 = sequence(id(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const YES = der(TAG.boolean, Buffer.of(0xff));

/** A certificate and its key, in PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A self-signed certificate for this machine's loopback address, valid for a day or as told, and its key. */
export const makeCertificate = ({ validMs = DAY_MS } = {}): Identity =>
  issue({ subject: 'localhost', isAuthority: true, validMs });

/** An authority, and certificates that it issues. Some clients refuse a server whose certificate is an authority's. */
export function makeAuthority(): Identity & { issue(): Identity } {
  const authority = issue({ subject: 'authority', isAuthority: true });
  return {
    ...authority,
    issue: () => issue({ subject: 'localhost', isAuthority: false, issuer: { name: 'authority', key: authority.key } }),
  };
}

/** A certificate of an RSA key, as SAML providers sign with, and the key. */
export function makeSigningCertificate(): Identity {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const issuer = { name: 'authority', key: issue({ subject: 'authority', isAuthority: true }).key };
  return {
    cert: issue({ subject: 'signing', isAuthority: false, issuer, of: keys.publicKey }).cert,
    key: keys.privateKey,
  };
}

interface Wish {
  /** The public key that it is about; undefined: a new one. */
  of?: Buffer;
  subject: string;
  isAuthority: boolean;
  validMs?: number;
  /** Undefined: it signs itself. */
  issuer?: { name: string; key: string };
}

function issue({ subject, isAuthority, validMs = DAY_MS, issuer, of }: Wish): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const statement = sequence(
    der(VERSION, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? subject),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + validMs)),
    nameOf(subject),
    of ?? publicKey,
    der(EXTENSIONS, sequence(...(isAuthority ? [authority()] : []), alternativeNames())),
  );
  const signature = sign('sha256', statement, createPrivateKey(issuer?.key ?? privateKey));
  const certificate = sequence(statement, ECDSA_WITH_SHA256, der(TAG.bits, Buffer.of(0), signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`, key: privateKey };
}

const nameOf = (text: string): Buffer =>
  sequence(der(TAG.set, sequence(COMMON_NAME, der(TAG.utf8, Buffer.from(text)))));

/** May sign certificates; a self-signed one is trusted by itself. */
function authority(): Buffer {
  return sequence(BASIC_CONSTRAINTS, YES, der(TAG.octets, sequence(YES)));
}

function alternativeNames(): Buffer {
  const names = sequence(der(DNS_NAME, Buffer.from('localhost')), der(IP_ADDRESS, Buffer.of(127, 0, 0, 1)));
  return sequence(ALTERNATIVE_NAMES, der(TAG.octets, names));
}

function time(atMs: number): Buffer {
  return der(TAG.time, Buffer.from(new Date(atMs).toISOString().replace(/[-:T]|\.\d+/g, '')));
}

function id(...bytes: number[]): Buffer {
  return der(TAG.id, Buffer.from(bytes));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(TAG.sequence, ...parts);
}

/** A value with its tag and its length: one byte, or several, counted by the first. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const sizes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...sizes), content]);
}
