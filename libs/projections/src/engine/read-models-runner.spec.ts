import { beforeEach, expect, it } from '@jest/globals';
import { type CommandContext, ConsistencyToken, LanePositions, type Position } from '#kernel';
import { eventually } from '#testing';
import { readModelsPassed } from './read-models-runner.js';

let elapsed: number;
let reached: Position;
let looks: number;
let progress: LanePositions;

beforeEach(() => {
  [elapsed, reached, looks] = [0, 6, 0];
  const checkpoint = async (name: string) => {
    looks++;
    return { name, position: reached, fence: 1 };
  };
  progress = new LanePositions({ checkpoint }, () => elapsed);
});

/** Resolves to the error, or to undefined once the read models have reached the seventh event. */
const waiting = () => {
  const consistencyToken = new ConsistencyToken();
  consistencyToken.advanceTo(7);
  const context: CommandContext = {
    actor: 'key:test',
    correlationId: 'req_1',
    causationId: null,
    workspaceId: null,
    consistencyToken,
  };
  return readModelsPassed(progress, context).catch((error: unknown) => error);
};

/** The wait has looked for the read models' position again. */
const anotherLook = async () => {
  const before = looks;
  await eventually(() => looks > before + 1);
};

it('D80: waits two seconds for the read models, and is then provider_unavailable, with Retry-After: 1', async () => {
  let outcome: unknown = 'waiting';
  const wait = waiting().then((error) => {
    outcome = error;
  });
  elapsed = 1_999;
  await anotherLook();
  expect(outcome).toBe('waiting');
  elapsed = 2_000;
  await wait;
  expect(outcome).toMatchObject({ code: 'provider_unavailable', retryAfterSeconds: 1 });
});

it('D80: continues as soon as the read models have everything, but not before', async () => {
  const wait = waiting();
  await anotherLook();
  reached = 7;
  expect(await wait).toBeUndefined();
});
