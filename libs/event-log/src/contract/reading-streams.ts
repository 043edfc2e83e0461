import { expect, test } from '@jest/globals';
import type { ReadStream } from '#kernel';
import { events, revisions } from './given-events.js';
import type { Opened } from './index.js';

export function readingStreams(opened: Opened): void {
  test.each<[string, ReadStream, number[]]>([
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
    ['forwards, when told so', { direction: 'forwards', from: 4 }, [4]],
  ])('reads %s', async (_, options, expected) => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(3));
    await log.append('thing-2', 'none', events(3));
    await log.append('thing-1', 2, events(2));
    const read = await log.readStream('thing-1', options);
    expect(revisions(read)).toEqual(expected);
    expect(new Set(read.map(({ stream }) => stream)).size).toBeLessThanOrEqual(1);
  });

  test.each<ReadStream>([{}, { from: 3 }, { direction: 'backwards' }, { direction: 'backwards', limit: 1 }])(
    'finds nothing in a stream that does not exist: %j',
    async (options) => {
      const { log } = opened();
      await log.append('thing-10', 'none', events(1));
      expect(await log.readStream('thing-1', options)).toEqual([]);
    },
  );

  test('reads what has just been appended', async () => {
    const { log } = opened();
    for (let revision = 0; revision < 20; revision++) {
      await log.append('thing-1', 'any', events(1));
      expect(await log.readStream('thing-1', { direction: 'backwards', limit: 1 })).toMatchObject([{ revision }]);
    }
  });

  test('never says that a stream has not grown when it has, whichever log appended to it', async () => {
    const { log, reopen } = opened();
    const other = (await reopen?.()) ?? log;
    const areAt = (revision: number) => [log, other].map((one) => one.isAt?.('thing-1', revision) ?? false);
    await log.append('thing-1', 'none', events(2));
    expect(areAt(0)).toEqual([false, false]);
    await log.append('thing-1', 1, events(1));
    expect(areAt(1)).toEqual([false, false]);
    await other.append('thing-1', 2, events(1));
    expect(areAt(2)).toEqual([false, false]);
    await log.close();
    expect(log.isAt?.('thing-1', 3) ?? false).toBe(false);
  });
}
