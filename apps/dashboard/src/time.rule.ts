import { asText, rule } from '../../api/src/http/validation/rules.js';

/** Epoch milliseconds, in an address. */
export const Time = () =>
  rule(
    'time',
    { type: 'string', pattern: '^\\d{1,15}$' },
    asText((text) => (/^\d{1,15}$/.test(text) ? undefined : 'must be epoch milliseconds')),
  );
