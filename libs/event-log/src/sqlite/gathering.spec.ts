import { expect, test } from '@jest/globals';
import { Gathering } from './gathering.js';

/** A queue to which an append comes at each look, as long as `busy` says so. */
const looks = (busy: () => boolean) => {
  let size = 1;
  let count = 0;
  return {
    size: () => {
      count++;
      if (busy()) size++;
      return size;
    },
    get count() {
      return count;
    },
  };
};

const waited = async (gathering: Gathering, busy: () => boolean): Promise<boolean> => {
  const queue = looks(busy);
  await gathering.wait(queue.size, 512);
  return queue.count > 1;
};

const waits = async (gathering: Gathering, busy: () => boolean, commits: number): Promise<number> => {
  let count = 0;
  for (let n = 0; n < commits; n++) if (await waited(gathering, busy)) count++;
  return count;
};

test('under load each commit waits for more', async () => {
  const gathering = new Gathering();
  gathering.took(0.1);
  expect(await waits(gathering, () => true, 100)).toBe(100);
});

test('a lone writer waits ever more seldom', async () => {
  const gathering = new Gathering();
  gathering.took(0.1);
  expect(await waits(gathering, () => false, 128)).toBeLessThanOrEqual(7);
});

test('once a wait has brought somebody, the next waits again', async () => {
  const gathering = new Gathering();
  gathering.took(0.1);
  await waits(gathering, () => false, 20);
  let isBusy = false;
  await waits(gathering, () => isBusy, 20);
  isBusy = true;
  await waits(gathering, () => isBusy, 64);
  expect(await waits(gathering, () => isBusy, 10)).toBe(10);
});

test('nothing is waited for where there is enough already', async () => {
  const gathering = new Gathering();
  gathering.took(1_000);
  let looked = 0;
  const size = () => {
    looked++;
    return 512;
  };
  await gathering.wait(size, 512);
  expect(looked).toBe(1);
});
