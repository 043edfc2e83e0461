import { expect, it } from '@jest/globals';
import { publicAddress, publicPath } from './client-address.js';

const listening = (address: string) => ({ address: () => ({ address, family: '', port: 3000 }) });

it.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['::1', 'http://[::1]:3000'],
  ['10.0.0.7', 'http://10.0.0.7:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000'],
  ['::', 'http://127.0.0.1:3000'],
])('D114: a service that listens at %s is called at %s', (host, url) => {
  expect(publicAddress(undefined, listening(host))).toBe(url);
  expect(publicAddress('https://api.example/protect', listening(host))).toBe('https://api.example/protect');
});

it.each([
  [undefined, ''],
  ['https://api.example', ''],
  ['https://api.example/protect/v', '/protect/v'],
])('D114: %s has the path "%s"', (apiUrl, path) => {
  expect(publicPath(apiUrl)).toBe(path);
});
