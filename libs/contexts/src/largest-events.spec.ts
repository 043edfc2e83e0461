import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseIdOf, type NativeLeak, observeLeak } from '#cases';
import {
  admitMembers,
  automaticExternalId,
  enrollByLink,
  type Identity,
  importCreator,
  MAX_ALIASES,
  MAX_PROFILES,
  type NativeCreator,
  rosterDecider,
  searchedIdentity,
} from '#creators';
import { Announcements, EVENT_FEED, Publisher } from '#event-feed';
import { openImpersonation } from '#impersonations';
import {
  agencyId,
  type DomainEvent,
  derivedId,
  type EventLog,
  MAX_APPEND_BYTES,
  MINUTE,
  newEventId,
  newId,
  type StreamName,
  streamName,
  type UserId,
} from '#kernel';
import { KeyRing, withEncryptedPersonalData } from '#personal-data';
import { dispatchScan, queueScan, scanDecider, scanHandles } from '#scans';
import { withHashChain } from '#tamper-evidence';
import { InMemoryEventLog, InMemoryKeyStore } from '#testing';
import { mia, miaUser, native, workspaceId } from '../../creators/src/domain/creator.fixtures.js';

/** Each takes four bytes in the log or, as a quoted text within a text, in the feed. */
const CHARACTERS = ['"', '\\', '🎵'];
const KEY = Buffer.alloc(32);
const AGENCY = agencyId('🎵'.repeat(200));
const scanId = derivedId('scan', 'largest');
const enrolling = { creatorId: mia, workspaceId, agencyId: AGENCY, epoch: 1 };
const externalId = '🎵'.repeat(200);

const names = (count: number, character: string) =>
  Array.from({ length: count }, (_, n) => `${n}${character.repeat(160 - String(n).length)}`);
/** One whose URL is as long as it may be, or one of names as long as they may be, which makes none. */
const official = (n: number) => ({
  platform: 'x',
  username: `${n}${'u'.repeat(2_034 - String(n).length)}`,
  profileId: null,
});
const other = (character: string) => (n: number) => {
  const long = character.repeat(200);
  return { platform: `${n}${character.repeat(200 - String(n).length)}`, username: long, profileId: long };
};
const identities = (character: string): Identity[] =>
  [official, other(character)].map((profile) => ({
    displayName: character.repeat(160),
    // More than is kept, as a platform may hold it.
    aliases: names(2 * MAX_ALIASES, character),
    profiles: Array.from({ length: 2 * MAX_PROFILES }, (_, n) => profile(n)),
  }));

/** No more than a body of 16 KiB: the texts of its aliases grow threefold when they are composed. */
const submitted: Identity = {
  displayName: '🎵'.repeat(160),
  aliases: names(30, '🎵'),
  profiles: Array.from({ length: 4 }, (_, n) => official(n)),
};

/** As the service stores it: encrypted, then chained. */
let log: EventLog;
beforeEach(() => {
  log = withEncryptedPersonalData(
    withHashChain(new InMemoryEventLog()),
    new KeyRing(new InMemoryKeyStore(), { current: KEY, all: [KEY] }),
  );
});

const append = (stream: StreamName, events: readonly DomainEvent[]) => {
  const metadata = {
    at: 8_640_000_000_000,
    correlationId: newEventId(),
    causationId: newEventId(),
    actor: `key:${newId('key')}`,
    workspaceId,
  };
  return log.append(
    stream,
    'any',
    events.map(({ type, data }) => ({ id: newEventId(), type, data, metadata })),
  );
};

const publish = async () => {
  const publisher = new Publisher(
    log,
    new Announcements(log, {
      walkEvery: 15 * MINUTE,
      faviconTemplate: `https://icons.example/${'x'.repeat(2_000)}/{domain}`,
    }),
  );
  await publisher.takeOver();
  await publisher.handle(await log.readLog({ after: 0, types: publisher.types }));
  return log.readStream(streamName(EVENT_FEED, workspaceId));
};

describe.each(CHARACTERS)('D66: of the largest texts, of %j, fits one append', (character) => {
  const shown: [what: string, native: NativeCreator][] = identities(character).map((identity, n) => [
    n === 0 ? 'official profiles' : 'other profiles',
    native({ identity }),
  ]);

  it.each(shown)('what is observed of a creator with %s: imported, enrolled, announced', async (_, seen) => {
    const imported = importCreator(
      { status: 'unknown' },
      { ...enrolling, externalId: automaticExternalId(miaUser) },
      seen,
    );
    await append(streamName('creator', mia), imported);
    const creatorId = newId('creator');
    const link = { ...enrolling, creatorId, userId: miaUser, externalId, identity: submitted };
    await append(streamName('creator', creatorId), enrollByLink({ status: 'unknown' }, link, seen));
    const [published] = await publish();
    expect(published?.data).toMatchObject({ eventType: 'creator.updated' });
  });

  it('a scan of every account with two spellings', async () => {
    for (const identity of identities(character)) {
      const spelled = { ...identity, aliases: [1, 2].map((n) => `L${character.repeat(58)}${n}`) };
      const handles = scanHandles(searchedIdentity({ identity: spelled, identityToWrite: submitted }));
      expect(handles).toHaveLength(MAX_PROFILES);
      const [queued] = queueScan({ status: 'unknown' }, { ...enrolling, scanId, source: 'manual' });
      if (queued === undefined) throw new Error('nothing was queued');
      const scan = scanDecider.evolve({ status: 'unknown' }, queued, 0);
      await append(streamName('scan', newId('scan')), dispatchScan(scan, handles));
    }
  });

  it('500 findings and impersonations, and all that is announced of them', async () => {
    const leak: NativeLeak = {
      leakId: character.repeat(200),
      url: character.repeat(2_048),
      status: character.repeat(200),
      statusCode: 'notice_sent',
      actionable: null,
      deadOnArrival: null,
      createdAt: Number.MAX_SAFE_INTEGER,
      updatedAt: Number.MAX_SAFE_INTEGER,
      jobId: character.repeat(200),
    };
    for (let n = 0; n < 250; n++) {
      const leakId = `${leak.leakId}${n}`.slice(-200);
      const caseId = caseIdOf(workspaceId, mia, leakId);
      const observation = {
        caseId,
        creatorId: mia,
        workspaceId,
        leak: { ...leak, leakId },
        scanId,
        reading: { began: 0, now: 0 },
      };
      await append(streamName('case', caseId), observeLeak({ status: 'unknown' }, observation));
      const impersonationId = newId('impersonation');
      const record = { ...leak, nativeId: leakId, platform: character.repeat(200), username: character.repeat(200) };
      const of = { impersonationId, creatorId: mia, workspaceId };
      await append(streamName('impersonation', impersonationId), openImpersonation({ status: 'unknown' }, of, record));
    }
    expect(await publish()).toHaveLength(500);
  });
});

it('D66: a page of 200 new members of the agency with the longest id fits one append of the roster', async () => {
  const members = Array.from({ length: 200 }, (_, n) => ({
    userId: `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId,
    invited: null,
    newId: newId('creator'),
  }));
  await append(
    streamName('roster', workspaceId),
    admitMembers(rosterDecider.initial, members, { agencyId: AGENCY, epoch: 1 }),
  );
});

it('D66: an append that is larger than the limit is refused, so that the tests above say something', async () => {
  const tooLarge = {
    type: 'creator.imported.v1',
    data: { creatorId: mia, personal: { text: 'x'.repeat(MAX_APPEND_BYTES * 0.75) } },
  };
  await expect(append(streamName('creator', mia), [tooLarge])).rejects.toThrow('at most');
});
