import { beforeEach, describe, expect, it } from '@jest/globals';
import { derivedId, type RecordedEvent, streamName } from '#kernel';
import { SEALS } from '#tamper-evidence';
import { type EventSelection, selectedEvents } from './read-history.js';
import { creatorId, Recording } from './recording.fixtures.js';

const mia = creatorId('mia');
const ivy = creatorId('ivy');
const scan = derivedId('scan', 'one');
const key = derivedId('key', 'k');
const announced = derivedId('event', 'announced');

describe('the history that an auditor selects', () => {
  let recording: Recording;
  let issued: RecordedEvent;
  let paused: RecordedEvent;
  let stopped: RecordedEvent;
  let published: RecordedEvent;
  let queued: RecordedEvent;

  const typesOf = async (selection: EventSelection) =>
    (await Array.fromAsync(selectedEvents(recording.log, selection))).map(({ type }) => type);

  beforeEach(async () => {
    recording = new Recording();
    issued = await recording.record(streamName('apiKey', key), { type: 'apiKey.issued.v1', data: { keyId: key } });
    const request = { actor: `key:${key}`, correlationId: 'req-pause' };
    paused = await recording.record(
      streamName('creator', mia),
      { type: 'creator.protectionPaused.v1', data: { reason: 'api_request' } },
      request,
    );
    stopped = await recording.record(
      streamName('usageMeter', mia),
      { type: 'usageMeter.meteringStopped.v1', data: { creatorId: mia } },
      { correlationId: 'req-pause', causationId: paused.id },
    );
    const cause = { eventId: paused.id, stream: paused.stream, revision: 0 };
    published = await recording.record(
      streamName('eventFeed', 'wsp'),
      {
        type: 'eventFeed.eventPublished.v1',
        data: { eventId: announced, creatorId: mia, cause, personal: { bytes: ivy } },
      },
      { correlationId: 'req-pause', causationId: paused.id },
    );
    queued = await recording.record(streamName('scan', scan), {
      type: 'scan.queued.v1',
      data: { scanId: scan, creatorId: ivy },
    });
  });

  it('follows causes over all that runs of itself, and back to what a request began', async () => {
    const round = { correlationId: 'round', causationId: paused.id };
    const found = await recording.record(streamName('case', 'one'), { type: 'case.opened.v1', data: {} }, round);
    const after = { correlationId: 'round', causationId: found.id };
    const again = await recording.record(streamName('case', 'one'), { type: 'case.changed.v1', data: {} }, after);
    const later = { correlationId: 'later', causationId: again.id };
    const last = await recording.record(streamName('case', 'one'), { type: 'case.removed.v1', data: {} }, later);
    // Covers what came before it, and was led to by none of it.
    await recording.record(SEALS, { type: 'seal.sealed.v1', data: {} }, { causationId: last.id });
    const chainOf = ({ id }: RecordedEvent) => Array.fromAsync(selectedEvents(recording.log, { causation: id }));
    expect(await chainOf(last)).toEqual([paused, found, again, last]);
    expect(await chainOf(again)).toEqual([paused, found, again, last]);
    expect(await chainOf(paused)).toEqual([paused, stopped, published, found, again, last]);
  });

  it('is the whole log, in order, without conditions', async () => {
    const events = await Array.fromAsync(selectedEvents(recording.log, {}));
    expect(events).toEqual([issued, paused, stopped, published, queued]);
  });

  it.each<[string, () => EventSelection, () => RecordedEvent[]]>([
    ['of one stream', () => ({ stream: paused.stream }), () => [paused]],
    ['about a creator, in any stream', () => ({ about: [mia] }), () => [paused, stopped, published]],
    ['about another creator, whose id is also in personal data', () => ({ about: [ivy] }), () => [queued]],
    ['about a scan', () => ({ about: [scan] }), () => [queued]],
    ['about a scan of another creator: nothing', () => ({ about: [scan, mia] }), () => []],
    ['with a key, or to it', () => ({ key }), () => [issued, paused]],
    ['of one request', () => ({ correlationId: 'req-pause' }), () => [paused, stopped, published]],
    ['what an event led to', () => ({ causation: paused.id }), () => [paused, stopped, published]],
    ['what led to an event', () => ({ causation: stopped.id }), () => [paused, stopped]],
    ['what led to an event of the feed', () => ({ causation: announced }), () => [paused, published]],
    ['of a type', () => ({ types: ['scan.queued.v1'] }), () => [queued]],
    ['of types that begin so', () => ({ types: ['usageMeter.', 'scan.'] }), () => [stopped, queued]],
    ['from an event on', () => ({ from: { kind: 'event', eventId: published.id } }), () => [published, queued]],
    ['up to an event', () => ({ to: { kind: 'event', eventId: paused.id } }), () => [issued, paused]],
    [
      'up to an event of the feed',
      () => ({ to: { kind: 'event', eventId: announced }, about: [mia] }),
      () => [paused, stopped, published],
    ],
    ['from a time on', () => ({ from: { kind: 'time', at: published.metadata.at } }), () => [published, queued]],
    ['up to a time', () => ({ to: { kind: 'time', at: paused.metadata.at } }), () => [issued, paused]],
    [
      'of a stream, up to an event of another',
      () => ({ stream: paused.stream, to: { kind: 'event', eventId: stopped.id } }),
      () => [paused],
    ],
  ])('can be %s', async (_, selection, expected) => {
    expect(await Array.fromAsync(selectedEvents(recording.log, selection()))).toEqual(expected());
  });

  it.each<[string, EventSelection]>([
    ['the chain', { causation: 'nowhere' }],
    ['the beginning', { from: { kind: 'event', eventId: 'nowhere' } }],
    ['the end', { to: { kind: 'event', eventId: 'nowhere' } }],
  ])('refuses an event that is not there as %s', async (_, selection) => {
    await expect(typesOf(selection)).rejects.toThrow('not_found');
  });
});
