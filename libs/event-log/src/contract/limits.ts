import { expect, test } from '@jest/globals';
import { type EventMetadata, type EventToAppend, InvalidAppend, MAX_APPEND_BYTES, MAX_APPEND_EVENTS } from '#kernel';
import { event, events } from './given-events.js';
import type { Opened } from './opened-event-log.js';

/** The bytes that ids, types and metadata may take. */
const ENVELOPES = 4_096;

const REFUSED: readonly (readonly [string, EventToAppend[]])[] = [
  ['one event too many', events(MAX_APPEND_EVENTS + 1)],
  ['too many bytes in one event', [event({ text: 'x'.repeat(MAX_APPEND_BYTES) })]],
  ['too many bytes in all', [1, 2].map(() => event({ text: 'x'.repeat(MAX_APPEND_BYTES / 2) }))],
  ['too many bytes, though not too many characters', [event({ text: '€'.repeat(MAX_APPEND_BYTES / 3) })]],
  ['no event', []],
  ['something that is not JSON', [event(), event({ count: 1n })]],
  ['no data', [{ ...event(), data: undefined as unknown as object }]],
  ['no metadata', [{ ...event(), metadata: undefined as unknown as EventMetadata }]],
];

export function limits(opened: Opened): void {
  test('accepts the most events that one append may have', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(MAX_APPEND_EVENTS));
    expect(await log.readStream('thing-1')).toHaveLength(MAX_APPEND_EVENTS);
  });

  test('accepts one event of nearly the most bytes', async () => {
    const { log } = opened();
    const text = 'x'.repeat(MAX_APPEND_BYTES - ENVELOPES);
    await log.append('thing-1', 'none', [event({ text })]);
    expect(await log.readStream('thing-1')).toMatchObject([{ data: { text } }]);
  });

  test('refuses what is too much or no event, and writes nothing', async () => {
    const { log } = opened();
    const before = await log.append('thing-0', 'none', [event()]);
    for (const [what, some] of REFUSED) {
      const refused = await log.append('thing-1', 'none', some).catch((error: unknown) => error);
      expect([what, refused]).toEqual([what, expect.any(InvalidAppend)]);
      expect([what, await log.readStream('thing-1')]).toEqual([what, []]);
      expect(await log.readLog({ after: before.position })).toMatchObject({ events: [], atEnd: true });
    }
  });

  test('does not affect concurrent appends', async () => {
    const { log } = opened();
    const verdicts = await Promise.allSettled([
      log.append('thing-1', 'none', events(2)),
      log.append('thing-1', 1, events(MAX_APPEND_EVENTS + 1)),
      log.append('thing-1', 1, events(2)),
    ]);
    expect(verdicts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
}
