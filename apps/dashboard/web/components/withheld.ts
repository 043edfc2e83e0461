/** Why the bytes of an event are not shown. */
export const WITHHELD = {
  erased: 'The personal data in it was erased.',
  ended: 'The membership of its creator has ended.',
  missing: 'The creator is not seen on the platform at the moment, so that what it says is withheld.',
  unreadable: 'The key that decrypts it is missing at the moment. Ask the operator.',
} as const;
