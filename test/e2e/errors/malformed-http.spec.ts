import { expect, test } from '@jest/globals';
import { checkHoldsEverywhere } from '../support/holds-everywhere.js';
import { sendRaw } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency();

const line = 'GET /v1/me HTTP/1.1';
const authorized = `authorization: Bearer ${agency.api.secret}`;
const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

test.each([
  ['no HTTP at all', 'HELLO\r\n\r\n'],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a header without a colon', request(line, 'host: x', 'nonsense')],
  ['a space before the colon', request(line, 'host : x')],
  ['a line feed in a header', request(line, 'host: x', 'x-y: a\nb')],
  ['two lengths', request('POST /v1/creators HTTP/1.1', 'host: x', 'content-length: 2', 'content-length: 3')],
  [
    'length and chunks',
    request('POST /v1/creators HTTP/1.1', 'host: x', 'content-length: 2', 'transfer-encoding: chunked'),
  ],
  [
    'a chunk of no size',
    request(
      'POST /v1/creators HTTP/1.1',
      'host: x',
      'transfer-encoding: chunked',
      'content-type: application/json',
      '',
      'zz',
    ),
  ],
  ['an absolute URL without a host', request('GET http:///v1/me HTTP/1.1', 'host: x', 'connection: close')],
  ['no host', request(line, authorized, 'connection: close')],
  ['two hosts', request(line, 'host: x', 'Host: y', authorized, 'connection: close')],
])('%s is 400 in the one envelope, and nothing of the inside (D4)', async (_, bytes) => {
  const refused = await sendRaw(service.url, bytes);
  checkHoldsEverywhere(refused);
  expect(refused.outcome).toBe('400 invalid_request');
});

test.each(['%ZZ', '%', '%E0%A4%A', 'crt_%ff', '%2'])(
  'an id that cannot be decoded, %s, is not found once key and scope have been checked (D1, D9)',
  async (id) => {
    const reader = await agency.issueKey({ preset: 'read_only' });
    const ask = async (method: string, path: string, ...headers: string[]) => {
      const answer = await sendRaw(
        service.url,
        request(`${method} ${path} HTTP/1.1`, 'host: x', 'connection: close', ...headers),
      );
      checkHoldsEverywhere(answer);
      return answer.outcome;
    };
    for (const path of [`/v1/creators/${id}`, `/v1/scans/${id}`, `/v1/creators/${id}/cases?limit=1`]) {
      expect([path, await ask('GET', path)]).toEqual([path, '401 unauthorized']);
      expect([path, await ask('GET', path, authorized)]).toEqual([path, '404 not_found']);
    }
    const key = `authorization: Bearer ${reader.api.secret}`;
    expect(await ask('PATCH', `/v1/creators/${id}`, key)).toBe('403 forbidden');
    expect(await ask('GET', `/v1/${id}/nothing`, authorized)).toBe('404 not_found');
  },
);

test('an unknown expectation is ignored (D4)', async () => {
  const answer = await sendRaw(
    service.url,
    request(line, 'host: x', authorized, 'expect: miracles', 'connection: close'),
  );
  checkHoldsEverywhere(answer);
  expect(answer.outcome).toBe('200');
});

test('the service answers the next request', async () => {
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});
