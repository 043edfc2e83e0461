import { describe, expect, it } from '@jest/globals';
import { problemsOf } from './config.fixtures.js';
import { isPlaintextHttp, isPlaintextStore } from './plaintext.js';

const MASTER_KEY = Buffer.alloc(32, 0xa7).toString('base64');

describe('plain text', () => {
  it.each([
    'http://127.0.0.1:4010',
    'http://127.9.9.9',
    'http://localhost',
    'http://[::1]:80',
    'https://platform.example',
  ])('a provider at %s is fine', (url) => expect(isPlaintextHttp(url)).toBe(false));

  it.each(['http://platform.example', 'http://10.0.0.1', 'http://127.evil.example', 'http://localhost.example'])(
    'a provider at %s is not',
    (url) => expect(isPlaintextHttp(url)).toBe(true),
  );

  it.each([
    'esdb://events.example:2113',
    'esdb://user:p%40ss@events.example:2113?tls=true',
    'esdb://localhost:2113?tls=false',
    'esdb://user:pass@127.0.0.1:2113,[::1]:2114?tls=false',
    'mongodb://localhost/creators',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/creators',
    'mongodb://documents.example/creators?tls=true',
    'mongodb://documents.example/creators?replicaSet=rs0&SSL=true',
    'mongodb+srv://documents.example/creators',
  ])('a store at %s is fine', (url) => expect(isPlaintextStore(url)).toBe(false));

  it.each([
    'esdb://events.example:2113?tls=false',
    'esdb+discover://events.example?TLS=false',
    'esdb://127.0.0.1:2113,events.example:2113?tls=false',
    'esdb://127.0.0.1:2113@events.example:2113?tls=false',
    'mongodb://documents.example/creators',
    'mongodb://documents.example/creators?tls=false',
    'mongodb://documents.example/creators?tls=true&tls=false',
    'mongodb://localhost,documents.example/creators',
    'mongodb+srv://documents.example/creators?tls=false',
  ])('a store at %s is not', (url) => expect(isPlaintextStore(url)).toBe(true));

  it('stops the start, and ALLOW_PLAINTEXT=1 allows it', () => {
    const environment = {
      MASTER_KEY,
      NATIVE_PLATFORM_URL: 'http://platform.example',
      NATIVE_PLATFORM_TOKEN: 'token',
      MONGODB_URL: 'mongodb://user:hunter2@documents.example/creators',
      EVENTSTOREDB_URL: 'esdb://events.example:2113?tls=false',
    };
    const problems = problemsOf(environment);
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'NATIVE_PLATFORM_URL',
      'EVENTSTOREDB_URL',
      'MONGODB_URL',
    ]);
    expect(problems.join()).not.toContain('hunter2');
    expect(problemsOf({ ...environment, ALLOW_PLAINTEXT: '1' })).toEqual([]);
    expect(problemsOf({ ALLOW_PLAINTEXT: 'yes' })).toEqual(['ALLOW_PLAINTEXT: must be 1, or unset']);
  });
});
