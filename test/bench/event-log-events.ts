import { type EventToAppend, type ExpectedRevision, newEventId, type StreamName } from '#kernel';
import { SCALE } from './figures.js';

/** Bytes of an event's JSON, data and metadata, more or less. */
export const SIZE = 600;

/** Like most of a real log: a few ids, a state, a time, some personal text. */
function benchEvent(n: number): EventToAppend {
  const creator = `crt_01h455vb4pex5vsknk${String(n).padStart(4, '0')}`;
  return {
    id: newEventId(),
    type: 'case.opened.v1',
    data: {
      caseId: `cas_01h455vb4pex5vsknk084s${String(n % 10_000).padStart(4, '0')}`,
      creatorId: creator,
      leakId: 4_000_000 + n,
      status: n % 3 === 0 ? 'removed' : 'open',
      platform: 'forum',
      similarity: (n % 100) / 100,
      observedAt: 1_767_225_600_000 + n,
      personal: {
        names: ['Jane Example', 'Jane E.'],
        urls: [`https://forum.example.com/threads/jane-example-${n}/page-7`],
        title: 'A thread in which material of the creator has been found again',
      },
    },
    metadata: {
      at: 1_767_225_600_000 + n,
      correlationId: newEventId(),
      causationId: null,
      actor: 'process:case-sync',
      workspaceId: null,
    },
  };
}

export const WRITERS = 64;
const APPENDS = Math.max(4, Math.round(50 * SCALE));

/** Returns the revision of the event. */
export type Append = (stream: StreamName, expected: ExpectedRevision, event: EventToAppend) => Promise<number>;

/** Events a second of writers that each append one event after the other to a separate stream. */
export const appendAll = async (append: Append, round: string): Promise<number> => {
  const writers = Array.from({ length: WRITERS }, () => Array.from({ length: APPENDS }, (_, n) => benchEvent(n)));
  const began = performance.now();
  await Promise.all(
    writers.map(async (events, writer) => {
      let expected: ExpectedRevision = 'none';
      for (const event of events) expected = await append(`bench-${round}-${writer}`, expected, event);
    }),
  );
  return (WRITERS * APPENDS * 1_000) / (performance.now() - began);
};
