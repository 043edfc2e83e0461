import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, derivedId, ENCRYPTED, ERASED, PersonalDataUnreadable, streamName } from '#kernel';
import {
  type Announcement,
  instantIn,
  PUBLIC_EVENT_TYPES,
  publicEvent,
  publicEventId,
  publish,
} from './public-event.js';

const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const creatorId = derivedId('creator', 'mia');
const scanId = derivedId('scan', 'one');
const AT = 1_767_225_600_123;
const cause = { id: '019b76da-a800-7000-8000-000000000001', at: AT, workspaceId };
const completed: Announcement = { type: 'scan.completed', creatorId, data: { scan_id: scanId, svc_job_id: 'job-1' } };

describe('the types of events', () => {
  it('D56: are all twelve of the specification', () => {
    expect(PUBLIC_EVENT_TYPES).toEqual([
      'protection.activated',
      'protection.paused',
      'scan.completed',
      'scan.failed',
      'creator.updated',
      'case.created',
      'case.updated',
      'case.deleted',
      'deindex.status_changed',
      'impersonation.created',
      'impersonation.updated',
      'impersonation.deleted',
    ]);
  });
});

describe('an event as agencies get it', () => {
  it('D58: its bytes are exact: the envelope in the order of the specification, and nothing more', () => {
    const { id, bytes } = publicEvent(completed, cause, AT);
    expect(bytes).toBe(
      `{"id":"${id}","type":"scan.completed","workspace_id":"${workspaceId}","created_at":${AT},"simulated":false,` +
        `"data":{"creator_id":"${creatorId}","scan_id":"${scanId}","svc_job_id":"job-1"}}`,
    );
  });

  it('D58: made again, it is the same to the last byte', () => {
    expect(publicEvent(completed, cause, AT)).toStrictEqual(publicEvent({ ...completed }, { ...cause }, AT));
  });

  it('D58: its id stays the same for good: it is in the logs of agencies', () => {
    expect(publicEvent(completed, cause, AT).id).toBe('evt_01kdvdna3vg9j8yza1fqw8kvmm');
  });

  it('has the cause’s time, even if its feed has a later one before it', () => {
    const later = publicEvent(completed, cause, AT + 5);
    expect(JSON.parse(later.bytes).created_at).toBe(AT);
    expect(instantIn(later.id)).toBe(AT + 5);
  });

  it('D58: is stored in the feed with the bytes as personal data, and with the cause up to which it has published', () => {
    const event = publicEvent(completed, cause, AT);
    const reference = { eventId: cause.id, stream: streamName('scan', scanId), revision: 4 };
    expect(publish(event, reference)).toStrictEqual({
      type: 'eventFeed.eventPublished.v1',
      data: {
        eventId: event.id,
        eventType: 'scan.completed',
        creatorId,
        cause: reference,
        personal: { bytes: event.bytes },
      },
    });
  });

  it('keeps every character of its data', () => {
    const name = 'Mia “🌹” \u2028 </script> \\ "';
    const { bytes } = publicEvent({ type: 'creator.updated', creatorId, data: { creator: { name } } }, cause, AT);
    expect(JSON.parse(bytes).data.creator.name).toBe(name);
    expect(bytes).toContain('🌹');
  });

  it('D71: is not made of a text that could not be decrypted', () => {
    const announcing = (url: string): Announcement => ({ type: 'case.created', creatorId, data: { case: { url } } });
    expect(() => publicEvent(announcing(ENCRYPTED), cause, AT)).toThrow(PersonalDataUnreadable);
    // D86: what only resembles one is published as it came.
    for (const url of [String.raw`https://leaks.example/\u001a[encrypted]`, `x${ENCRYPTED}`, ERASED]) {
      expect(JSON.parse(publicEvent(announcing(url), cause, AT).bytes).data.case.url).toBe(url);
    }
  });
});

describe('the id of an event', () => {
  const idOf = (causeId: string, at: number, type: (typeof PUBLIC_EVENT_TYPES)[number]) =>
    publicEventId(causeId, at, type);

  it('D12: is an evt_ of 26 characters', () => {
    expect(idOf('cause', AT, 'case.created')).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  });

  it('D58: follows from cause and type: each type of one cause has its own', () => {
    expect(new Set(PUBLIC_EVENT_TYPES.map((type) => idOf('cause', AT, type))).size).toBe(12);
    expect(idOf('cause', AT, 'case.created')).not.toBe(idOf('cause-2', AT, 'case.created'));
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.integer({ min: 1, max: 2 ** 31 }),
        fc.string(),
        fc.string(),
        (time, later, one, other) => {
          expect(idOf(one, time, 'case.created') < idOf(other, time + later, 'case.updated')).toBe(true);
        },
      ),
    );
  });

  it('is a well-formed UUID of version 8', () => {
    const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...PUBLIC_EVENT_TYPES), (causeId, type) => {
        const suffix = idOf(causeId, AT, type).slice('evt_'.length);
        const value = [...suffix].reduce((sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)), 0n);
        const hex = value.toString(16).padStart(32, '0');
        expect(hex).toMatch(/^[0-9a-f]{12}8[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
        expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(AT);
      }),
    );
  });
});
