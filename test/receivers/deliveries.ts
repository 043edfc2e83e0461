import { SECOND } from '#kernel';
import { SIGNATURE_HEADER, SigningKey, signatureHeader, standardHeaders } from '#webhooks';

export const SECRET = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const BODY = '{"id":"evt_01","type":"case.created","data":{"name":"é\u2028"}}';
/** The tolerance that the libraries use by default. */
export const TOLERANCE_SECONDS = 300;

export interface SignedDelivery {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export const nowInSeconds = () => Math.floor(Date.now() / SECOND);

/** The headers of a delivery of `BODY` that these secrets sign. */
export const headersBy = (secrets: readonly string[], at = nowInSeconds()): Record<string, string> => {
  const keys = secrets.map((secret) => new SigningKey(secret));
  const body = Buffer.from(BODY);
  return { [SIGNATURE_HEADER]: signatureHeader(keys, at, body), ...standardHeaders(keys, 'evt_01', at, body) };
};

/** Deliveries to a receiver that has `SECRET`, and whether it has to accept them. */
export const deliveries = (): readonly (readonly [what: string, isGenuine: boolean, SignedDelivery])[] => {
  const of = (secrets: readonly string[], body = BODY, at = nowInSeconds()) => ({
    secret: SECRET,
    headers: headersBy(secrets, at),
    body,
  });
  return [
    ['signed with its secret', true, of([SECRET])],
    ['signed with its secret first in a rotation', true, of([SECRET, OTHER_SECRET])],
    ['signed with its secret second in a rotation', true, of([OTHER_SECRET, SECRET])],
    ['signed with another secret', false, of([OTHER_SECRET])],
    ['with a byte more', false, of([SECRET], `${BODY} `)],
    ['that is too old', false, of([SECRET], BODY, nowInSeconds() - 2 * TOLERANCE_SECONDS)],
  ];
};
