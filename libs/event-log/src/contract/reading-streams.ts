import { expect, test } from '@jest/globals';
import type { ReadStream } from '#kernel';
import { events, revisions } from './given-events.js';
import type { Opened } from './opened-event-log.js';

/** The revisions that each read of a stream of five events returns. */
const PARTS: readonly (readonly [string, ReadStream, number[]])[] = [
  ['all', {}, [0, 1, 2, 3, 4]],
  ['from a revision', { from: 3 }, [3, 4]],
  ['the first few', { limit: 2 }, [0, 1]],
  ['a few from a revision', { from: 1, limit: 2 }, [1, 2]],
  ['from past the end', { from: 5 }, []],
  ['more than there are', { from: 4, limit: 10 }, [4]],
  ['all backwards', { direction: 'backwards' }, [4, 3, 2, 1, 0]],
  ['the last', { direction: 'backwards', limit: 1 }, [4]],
  ['backwards from a revision', { direction: 'backwards', from: 2 }, [2, 1, 0]],
  ['a few backwards from a revision', { direction: 'backwards', from: 3, limit: 2 }, [3, 2]],
  ['backwards from past the end', { direction: 'backwards', from: 9, limit: 2 }, [4, 3]],
  ['forwards, on request', { direction: 'forwards', from: 4 }, [4]],
];

export function readingStreams(opened: Opened): void {
  test('reads the part that is asked for', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(3));
    await log.append('thing-2', 'none', events(3));
    await log.append('thing-1', 2, events(2));
    for (const [what, options, expected] of PARTS) {
      const read = await log.readStream('thing-1', options);
      expect([what, revisions(read)]).toEqual([what, expected]);
      expect(new Set(read.map(({ stream }) => stream)).size).toBeLessThanOrEqual(1);
    }
  });

  test('finds nothing in a stream that does not exist', async () => {
    const { log } = opened();
    await log.append('thing-10', 'none', events(1));
    const asked: readonly ReadStream[] = [
      {},
      { from: 3 },
      { direction: 'backwards' },
      { direction: 'backwards', limit: 1 },
    ];
    for (const options of asked) expect([options, await log.readStream('thing-1', options)]).toEqual([options, []]);
  });

  test('reads what has just been appended', async () => {
    const { log } = opened();
    for (let revision = 0; revision < 20; revision++) {
      await log.append('thing-1', 'any', events(1));
      expect(await log.readStream('thing-1', { direction: 'backwards', limit: 1 })).toMatchObject([{ revision }]);
    }
  });

  test('returns which streams have grown since a position, through any instance of the log, or undefined', async () => {
    const { log, reopen } = opened();
    const other = (await reopen?.()) ?? log;
    const first = await log.append('thing-1', 'none', events(2));
    await log.append('thing-2', 'none', events(1));
    const { position: head } = await other.append('thing-1', 1, events(1));
    for (const changes of [log, other].map((one) => one.changesSince?.(first.position))) {
      if (changes === undefined) continue;
      expect(changes.head).toBe(head);
      expect([...(changes.ends ?? [])].toSorted()).toEqual([
        ['thing-1', 2],
        ['thing-2', 0],
      ]);
    }
    for (const changes of [log, other].map((one) => one.changesSince?.(head))) {
      if (changes !== undefined) expect(changes).toEqual({ head, ends: new Map() });
    }
    await log.close();
    expect(log.changesSince?.(head)).toBeUndefined();
  });
}
