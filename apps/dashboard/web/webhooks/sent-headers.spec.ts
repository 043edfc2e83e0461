import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseHeaders, sha256Of } from './sent-headers.js';

describe('Pasted headers', () => {
  const expected = { 'webhook-id': 'evt_1', 'webhook-signature': 'v1,a:b=' };

  it('are read as lines, in upper or lower case', () => {
    expect(parseHeaders('Webhook-Id: evt_1\r\nwebhook-signature:  v1,a:b=\n\nnothing\n')).toEqual(expected);
  });

  it('are read as JSON', () => {
    expect(parseHeaders(' {"Webhook-Id":"evt_1","Webhook-Signature":"v1,a:b="}')).toEqual(expected);
  });

  it('that are none give none', () => {
    expect(parseHeaders('{"webhook-id"')).toEqual({});
    expect(parseHeaders('')).toEqual({});
  });
});

it('The hash of a body is that of its UTF-8 bytes', async () => {
  const body = '{"name":"Zoë 👩‍👩‍👧"}';
  expect(await sha256Of(body)).toBe(createHash('sha256').update(body).digest('hex'));
});
