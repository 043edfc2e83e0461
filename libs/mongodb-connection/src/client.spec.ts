import { expect, it } from '@jest/globals';
import { clientTo } from './client.js';

const messageFor = (url: string): string => {
  try {
    clientTo(url, 'requests');
    return '';
  } catch (error) {
    return String(error);
  }
};

it.each([
  ['mongodb://admin:hunter2@127.0.0.1/svc?retries=2', 'the option retries is not known'],
  ['mongodb://admin:hunter2@127.0.0.1/svc?retries=2&pool=1', 'the option retries, pool is not known'],
  ['mongodb://admin:hunter2@', 'not a connection string of MongoDB'],
  ['mongodb://admin:hunter2@127.0.0.1:port/svc', 'not a connection string of MongoDB'],
])('D95: %s is refused without its password, and an unknown option by its name', (url, problem) => {
  const message = messageFor(url);
  expect(message).toContain(problem);
  expect(message).not.toContain('hunter2');
});

it('accepts a URL with known options', () => {
  expect(messageFor('mongodb://admin:hunter2@127.0.0.1/svc?tls=true&maxPoolSize=5')).toBe('');
});
