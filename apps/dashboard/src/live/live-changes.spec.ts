import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { workspaceOf } from '#agencies';
import { agencyId, DomainError, LanePositions, silentLogger } from '#kernel';
import { InMemoryEventLog, settled } from '#testing';
import { LiveChanges } from './live-changes.js';

const AGENCY = agencyId('agency_one');
const BEAT = 15_000;

let changes: LiveChanges;
beforeEach(() => {
  const progress = { waitForPositionBriefly: async () => true } as unknown as LanePositions;
  changes = new LiveChanges(new InMemoryEventLog(), progress, silentLogger);
});
afterEach(() => {
  changes.beforeApplicationShutdown();
  jest.useRealTimers();
});

/** Not closed by its end, as that of a browser that has not read it all. */
const open = (sessionId: string, mayGoOn = async () => true, hasLeft = false): ServerResponse => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  if (hasLeft) response.destroy();
  jest.spyOn(response, 'end');
  changes.open({ sessionId, agencyId: AGENCY, workspaceId: workspaceOf(AGENCY), response, mayGoOn });
  return response;
};

const pass = (time: number): Promise<void> => {
  jest.advanceTimersByTime(time);
  return settled();
};

const areOpen = (responses: readonly ServerResponse[]) => responses.map(({ writableEnded }) => !writableEnded);

describe('An open page', () => {
  it('is ended by the next beat once its person may not see it, and the others go on', async () => {
    jest.useFakeTimers();
    let isSignedIn = true;
    const left = open('left', async () => isSignedIn);
    const refused = open('refused', async () => {
      if (isSignedIn) return true;
      throw new DomainError('session_required');
    });
    const stays = open('stays');
    await pass(BEAT);
    expect(areOpen([left, refused, stays])).toEqual([true, true, true]);
    isSignedIn = false;
    await pass(BEAT - 1);
    expect(areOpen([left, refused, stays])).toEqual([true, true, true]);
    await pass(1);
    expect(areOpen([left, refused, stays])).toEqual([false, false, true]);
  });

  it('is checked once at a time', async () => {
    jest.useFakeTimers();
    let checks = 0;
    const answer = Promise.withResolvers<boolean>();
    open('slow', () => {
      checks += 1;
      return answer.promise;
    });
    await pass(3 * BEAT);
    expect(checks).toBe(1);
    answer.resolve(true);
    await settled();
    await pass(BEAT);
    expect(checks).toBe(2);
  });

  it('ends the oldest one of its session, so that two are open, also before the ended one has closed', () => {
    expect(areOpen(Array.from({ length: 5 }, () => open('one')))).toEqual([false, false, false, true, true]);
  });

  it('learns that a newer one has replaced it, but not when it may not go on', async () => {
    jest.useFakeTimers();
    const [first, second, third] = [open('one', async () => false), open('one', async () => false), open('one')];
    await pass(BEAT);
    expect(areOpen([first, second, third])).toEqual([false, false, true]);
    expect(first.end).toHaveBeenCalledWith('event: replaced\ndata:\n\n');
    expect(second.end).toHaveBeenCalledWith('');
  });

  it('takes no place, and none of its session, if its browser has left before', () => {
    const kept = [open('one'), open('one')];
    for (let each = 0; each < 32; each++) open(`left-${each % 16}`, undefined, true);
    open('one', undefined, true);
    expect(areOpen(kept)).toEqual([true, true]);
    expect(areOpen([open('colleague')])).toEqual([true]);
  });

  it('gives its place back when its browser leaves later', () => {
    for (let each = 0; each < 32; each++) open(`session-${each}`).emit('close');
    expect(areOpen([open('colleague')])).toEqual([true]);
  });

  it('replaces one that its session opened where the agency has as many as it may', () => {
    const first = open('one');
    open('one');
    for (let each = 2; each < 32; each++) open(`session-${each}`);
    expect(() => open('another')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(first.writableEnded).toBe(false);
    open('one');
    expect(first.writableEnded).toBe(true);
    expect(() => open('another')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  });
});
