import { MINUTE, SECOND } from '#kernel';
import type { CheckResult } from '#webhooks';

/** Says why a receiver may have refused a request. */
export const signatureMessage = ({ verdict, age }: CheckResult): string => {
  switch (verdict) {
    case 'valid':
      return 'Valid: the headers and the body are as they were sent, and the signature was made with a current secret.';
    case 'clock':
      return `Clock: the signature is correct, but its timestamp is ${distance(age)} the current time; receivers refuse more than five minutes. If the request has just arrived, the receiver's clock is wrong.`;
    case 'bytes':
      return 'Bytes: the body differs from what was sent. Check the signature over the raw bytes, before anything parses or rewrites them.';
    case 'older_secret':
      return 'Older secret: the signature was made with a secret that no longer signs. The request was sent before the rotation.';
    case 'unknown_secret':
      return 'Unknown secret: the signature was not made with any secret of this endpoint. Check that the header is complete.';
  }
};

const distance = (age: number): string => {
  const seconds = Math.round(Math.abs(age) / SECOND);
  const length = Math.abs(age) < 2 * MINUTE ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${length} ${age < 0 ? 'after' : 'before'}`;
};
