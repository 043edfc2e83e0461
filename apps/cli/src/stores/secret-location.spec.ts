import { expect, it } from '@jest/globals';
import { asPath } from '../arguments.js';
import { secretLocation } from './secret-location.js';

const URL_WITH_PASSWORD = 'esdb://admin:hunter2@127.0.0.1:2113';

const refusalOf = (location: string, environment: NodeJS.ProcessEnv = {}): unknown => {
  try {
    return secretLocation('from', location, environment);
  } catch (error) {
    return error;
  }
};

it.each([URL_WITH_PASSWORD, 'mongodb://admin@127.0.0.1/svc', 'ESDB+discover://a:b@c'])(
  'D95: %s is refused as an argument, with a hint and without the password',
  (location) => {
    const refusal = refusalOf(location);
    expect(refusal).toMatchObject({ code: 'invalid_request', fields: [{ field: 'from' }] });
    expect(JSON.stringify(refusal)).toContain('env:');
    expect(JSON.stringify(refusal)).not.toContain('hunter2');
  },
);

it('is read from a variable', () => {
  expect(secretLocation('from', 'env:EVENTSTOREDB_URL', { EVENTSTOREDB_URL: URL_WITH_PASSWORD })).toBe(
    URL_WITH_PASSWORD,
  );
  expect(refusalOf('env:EVENTSTOREDB_URL')).toMatchObject({ fields: [{ message: 'EVENTSTOREDB_URL is not set' }] });
});

it.each(['/var/lib/svc/events.db', 'esdb://127.0.0.1:2113?tls=false', '/data@home/events.db'])(
  '%s is taken as it is',
  (location) => {
    expect(secretLocation('from', location, {})).toBe(location);
  },
);

it('D113: a relative path, also one in a variable, is made absolute', () => {
  expect(secretLocation('from', 'data', {})).toBe(asPath('data'));
  expect(secretLocation('from', 'env:LOG', { LOG: './data' })).toBe(asPath('data'));
});
