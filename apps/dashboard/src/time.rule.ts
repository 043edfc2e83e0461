import { asText, rule } from '#http';

/** Epoch milliseconds, in an address. */
export const Time = () =>
  rule(
    { type: 'string', pattern: '^\\d{1,15}$' },
    asText((text) => (/^\d{1,15}$/.test(text) ? undefined : 'must be epoch milliseconds')),
  );

/** The time that such a text names. */
export const timeFilter = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);
