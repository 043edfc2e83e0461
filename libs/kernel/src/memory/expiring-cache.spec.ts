import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { eventually } from '#testing';
import { Caches } from './caches.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('an entry that has expired leaves the memory, although nobody asks for it again', async () => {
  const cache = Caches.ON.create<string, { readonly key: Buffer }>({ bytes: 1_000, entryBytes: 10, ttl: 20 });
  const cached = new WeakRef({ key: Buffer.alloc(32) });
  const keep = (value = cached.deref()) => value !== undefined && cache.set('mia', value);
  keep();
  await eventually(() => {
    collectGarbage();
    return cached.deref() === undefined;
  });
  expect(cache.peek('mia')).toBeUndefined();
});
