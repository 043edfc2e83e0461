import { afterEach, beforeEach, describe } from '@jest/globals';
import { appending } from './appending.js';
import { closing } from './closing.js';
import { concurrency } from './concurrency.js';
import { following } from './following.js';
import { limits } from './limits.js';
import type { Opened, OpenedEventLog } from './opened-event-log.js';
import { readingStreams } from './reading-streams.js';
import { readingTheLog } from './reading-the-log.js';
import { repeating, repeatingElsewhere } from './repeating.js';
import { roundTrips } from './round-trips.js';

export interface ContractOptions {
  /** Whether an event id is known in the whole log, even if a repeat only checks its own stream. */
  readonly idsUniqueInLog?: boolean;
  /** The members that the log itself adds to an event's metadata. */
  readonly addsToMetadata?: object;
}

/** The tests that every event log passes, in every store. */
export function eventLogContract(
  name: string,
  open: () => Promise<OpenedEventLog>,
  { idsUniqueInLog = false, addsToMetadata = {} }: ContractOptions = {},
): void {
  describe(name, () => {
    let current: OpenedEventLog | undefined;
    const opened: Opened = () => {
      if (!current) throw new Error('no test runs');
      return current;
    };
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current?.close());

    describe('appending', () => appending(opened));
    describe('appending again', () => repeating(opened));
    if (idsUniqueInLog) describe('event ids used elsewhere', () => repeatingElsewhere(opened));
    describe('limits of an append', () => limits(opened));
    describe('concurrent appends', () => concurrency(opened));
    describe('what is read back', () => roundTrips(opened, addsToMetadata));
    describe('reading a stream', () => readingStreams(opened));
    describe('reading the log', () => readingTheLog(opened));
    describe('following the log', () => following(opened));
    describe('closing', () => closing(opened));
  });
}
