import { beforeEach, describe, expect, it } from '@jest/globals';
import { BATCH_SIZE, Backpressure } from '#jobs';
import { MINUTE, SECOND, type UserId } from '#kernel';
import { Gate, settled } from '#testing';
import { given } from '../../../../testing/src/test-ports.module.js';
import { identityObserved, miaUser, native, nativeIdentity } from '../../domain/creator.fixtures.js';
import { creatorDecider } from '../../domain/creator.js';
import { type Stage, stage } from '../../stage.fixtures.js';
import { CreatorsOptions } from '../access/creator-ports.js';

const BUDGET = 40;

let s: Stage;
let viewsPass: Gate;

beforeEach(async () => {
  viewsPass = new Gate();
  viewsPass.open();
  const budget = given(CreatorsOptions, { providerTimeout: BUDGET, syncEvery: MINUTE });
  s = await stage([given(Backpressure, new Backpressure(() => viewsPass.opened)), budget]);
});

/** All agencies share the queue of bulk work, and what is before this one's does not get on. */
const stopBulkWork = async () => {
  viewsPass = new Gate();
  await s.get(Backpressure).inBatches('another agency', [1], () => Promise.resolve());
};

const roster = (size: number) => {
  for (let n = 0; n < size; n++) {
    const userId = `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId;
    s.platform.users.set(userId, { ...native(), userId });
  }
};
const observe = () => s.observeRoster(s.scope, { limit: 200 }, s.context);
const walk = () => s.walkRoster(s.scope, { limit: 200 }, s.context);

describe("an agency's own reading of its roster, while the bulk work of others is stopped", () => {
  it('does not wait behind it for a short list', async () => {
    roster(2 * BATCH_SIZE);
    await stopBulkWork();
    expect((await observe()).creators).toHaveLength(2 * BATCH_SIZE);
  });

  it('D80: is provider_timeout beyond its budget, and the next one goes on', async () => {
    roster(3 * BATCH_SIZE);
    await stopBulkWork();
    await expect(observe()).rejects.toMatchObject({ code: 'provider_timeout' });
    viewsPass.open();
    expect((await observe()).creators).toHaveLength(3 * BATCH_SIZE);
  });

  it('D33: is not slowed down by aliases whose form an update changes: a walk records them in batches, once each', async () => {
    roster(3 * BATCH_SIZE);
    const { creators } = await walk();
    const before = { ...nativeIdentity, aliases: [' mimi ', 'mimi'] };
    for (const { creatorId } of creators) {
      await s.runner.run(creatorDecider, creatorId, s.context, () => [identityObserved(before, nativeIdentity)]);
    }
    const head = await s.log.head();
    const observed = async () => {
      const page = await s.log.readLog({ after: head, limit: 1_000, types: new Set(['creator.identityObserved.v2']) });
      return page.events.length;
    };
    viewsPass = new Gate();
    const walked = walk();
    await settled();
    expect(await observed()).toBe(BATCH_SIZE);
    viewsPass.open();
    await walked;
    await walk();
    expect(await observed()).toBe(3 * BATCH_SIZE);
  });

  it('has a budget that the walk of a worker does not have', async () => {
    roster(3 * BATCH_SIZE);
    await stopBulkWork();
    const walked = walk();
    await expect(observe()).rejects.toMatchObject({ code: 'provider_timeout' });
    await settled();
    viewsPass.open();
    expect((await walked).creators).toHaveLength(3 * BATCH_SIZE);
  });
});

describe('reading the roster', () => {
  beforeEach(async () => {
    s = await stage();
    s.platform.users.set(miaUser, native());
  });

  it('D78: confirms the members for 60 seconds after the page was asked for, however late it comes', async () => {
    const asked = s.clock.now();
    s.platform.duringRead = async () => {
      s.clock.advance(30 * SECOND);
    };
    const { creators } = await s.observeRoster(s.scope, { limit: 10 }, s.context);
    const [mia] = creators.map(({ creatorId }) => creatorId);
    if (mia === undefined) throw new Error('no creator');
    expect(await s.memberships.isConfirmed(mia, asked + MINUTE - 1)).toBe(true);
    expect(await s.memberships.isConfirmed(mia, asked + MINUTE)).toBe(false);
  });
});
