import { MINUTE, SECOND } from '#kernel';
import type { CheckResult } from '#webhooks';

/** What the verdict means, and what to check in the receiver. */
export const signatureMessage = ({ verdict, age }: CheckResult): string => {
  switch (verdict) {
    case 'valid':
      return 'Valid: these headers and bytes are what was sent, and the signature is of a secret in force.';
    case 'clock':
      return `Clock: the signature is right, but its timestamp is ${distance(age)} the present time; receivers refuse more than five minutes. If the request has just arrived, the receiver's clock is wrong.`;
    case 'bytes':
      return 'Bytes: the body is not what was sent. Check the signature over the raw bytes, before anything parses or prints them again.';
    case 'older_secret':
      return 'Older secret: a secret that no longer signs has made the signature. The request is from before the rotation.';
    case 'unknown_secret':
      return 'Unknown secret: no secret of this endpoint has made this signature. Check that the header is complete.';
  }
};

const distance = (age: number): string => {
  const seconds = Math.round(Math.abs(age) / SECOND);
  const length = Math.abs(age) < 2 * MINUTE ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${length} ${age < 0 ? 'after' : 'before'}`;
};
