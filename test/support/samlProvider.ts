import { hash, randomBytes, sign } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { makeSigningCertificate } from './certificate.ts';

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** What an answer says; each member may be forged. */
export interface Claims {
  email: string;
  groups?: string[];
  inResponseTo: string;
  audience: string;
  destination: string;
  recipient?: string;
  issuer?: string;
  assertionId?: string;
  /** From now. */
  notBeforeMs?: number;
  notOnOrAfterMs?: number;
  nameId?: string;
}

/** A request that a service sent. */
export interface AskedRequest {
  id: string;
  relayState: string;
  acsUrl: string;
  issuer: string;
}

/** A SAML identity provider that signs whatever a test wants it to say. Its texts are written in canonical form. */
export function createSamlProvider(entityId = 'https://idp.test/saml', { cert, key } = makeSigningCertificate()) {
  const certificate = cert.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
<IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="${PROTOCOL}"><KeyDescriptor use="signing">
<KeyInfo xmlns="${DSIG}"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/>
</IDPSSODescriptor></EntityDescriptor>`;

  /** The text of an element with its signature put where `<!--signature-->` stands in it. */
  function signed(xml: string, id: string): string {
    const digest = hash('sha256', xml.replace(MARK, ''), 'base64');
    const info = (namespace: string) =>
      `<ds:SignedInfo${namespace}><ds:CanonicalizationMethod Algorithm="${C14N}"></ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="${RSA_SHA256}"></ds:SignatureMethod><ds:Reference URI="#${id}"><ds:Transforms>` +
      '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></ds:Transform>' +
      `<ds:Transform Algorithm="${C14N}"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="${SHA256}">` +
      `</ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`;
    const value = sign('sha256', Buffer.from(info(` xmlns:ds="${DSIG}"`)), key).toString('base64');
    return xml.replace(
      MARK,
      `<ds:Signature xmlns:ds="${DSIG}">${info('')}<ds:SignatureValue>${value}</ds:SignatureValue></ds:Signature>`,
    );
  }

  /** An assertion, with the place of its signature. */
  function assertionOf(claims: Claims): { xml: string; id: string } {
    const { email, groups = [], issuer = entityId, assertionId: id = newId(), nameId = email } = claims;
    const { recipient = claims.destination, notBeforeMs = -60_000, notOnOrAfterMs = 120_000 } = claims;
    const value = (text: string) => `<saml:AttributeValue>${text}</saml:AttributeValue>`;
    const attribute = (name: string, values: string[]) =>
      values.length === 0 ? '' : `<saml:Attribute Name="${name}">${values.map(value).join('')}</saml:Attribute>`;
    const until = inMs(notOnOrAfterMs);
    const xml =
      `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${id}" IssueInstant="${inMs(0)}" Version="2.0">` +
      `<saml:Issuer>${issuer}</saml:Issuer>${MARK}<saml:Subject>` +
      `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${nameId}</saml:NameID>` +
      '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ' +
      `InResponseTo="${claims.inResponseTo}" NotOnOrAfter="${until}" Recipient="${recipient}">` +
      '</saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>' +
      `<saml:Conditions NotBefore="${inMs(notBeforeMs)}" NotOnOrAfter="${until}"><saml:AudienceRestriction>` +
      `<saml:Audience>${claims.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${inMs(0)}" SessionIndex="${newId()}"><saml:AuthnContext>` +
      '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
      '</saml:AuthnContext></saml:AuthnStatement>' +
      `<saml:AttributeStatement>${attribute('email', [email])}${attribute('displayName', ['Grace Hopper'])}` +
      `${attribute('groups', groups)}</saml:AttributeStatement></saml:Assertion>`;
    return { xml, id };
  }

  /** An answer around the text of assertions. */
  function responseOf({ destination, inResponseTo, issuer = entityId }: Claims, content: string): string {
    return (
      `<samlp:Response xmlns:samlp="${PROTOCOL}" Destination="${destination}" ID="${newId()}" InResponseTo="${inResponseTo}" ` +
      `IssueInstant="${inMs(0)}" Version="2.0"><saml:Issuer xmlns:saml="${ASSERTION}">${issuer}</saml:Issuer>` +
      '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"></samlp:StatusCode>' +
      `</samlp:Status>${content}</samlp:Response>`
    );
  }

  const signedAssertion = (claims: Claims): string => {
    const { xml, id } = assertionOf(claims);
    return signed(xml, id);
  };

  return {
    entityId,
    metadata,
    assertionOf,
    responseOf,
    signedAssertion,
    /** An honest answer: a signed assertion. */
    answer: (claims: Claims): string => responseOf(claims, signedAssertion(claims)),
  };
}

/** Where the signature of an element stands. */
export const MARK = '<!--signature-->';

const newId = (): string => `_${randomBytes(16).toString('hex')}`;
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** The request in the address of a provider's page. */
export function requestIn(url: string): AskedRequest {
  const { searchParams } = new URL(url);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();
  const of = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    id: of(/\sID="([^"]+)"/),
    relayState: searchParams.get('RelayState') ?? '',
    acsUrl: of(/AssertionConsumerServiceURL="([^"]+)"/),
    issuer: of(/<(?:\w+:)?Issuer[^>]*>([^<]+)</),
  };
}
