import { describe, expect, it } from '@jest/globals';
import { DomainError, derivedId, ERASED } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import { ErasureHashes } from '../membership/erasure-hashes.js';
import type { RosterEvent } from './roster.events.js';
import {
  admit,
  admitted,
  eve,
  hashes,
  imported,
  replaced,
  request,
  rosterOf,
  userLinked,
  workspace,
  zoe,
} from './roster.fixtures.js';
import { type Roster } from './roster.js';
import { type AdmissionRequest } from './roster-admission.js';
import { eraseFromRoster, eraseFromRosterAgain } from './roster-erasure.js';
import { admitMembers, automaticExternalId } from './roster-members.js';

describe('D72: a creator that was erased', () => {
  const order = request(mia, 'ext-mia', miaUser);
  const erasure = (past: readonly RosterEvent[], roster = rosterOf(past)): RosterEvent[] => {
    const admissions = past.flatMap(({ data }) => ('personal' in data ? [data] : [])).toReversed();
    return eraseFromRoster(roster, mia, { hashes, workspaceId: workspace, admissions });
  };
  const erased = (past: readonly RosterEvent[]): RosterEvent[] => [...past, ...erasure(past)];
  /** The same events as they are read once the creator's key is gone. */
  const unreadable = (events: readonly RosterEvent[]): RosterEvent[] =>
    events.map((event): RosterEvent => {
      if (!('personal' in event.data) || event.data.creatorId !== mia) return event;
      const { fingerprint } = event.data.personal;
      const personal = { externalId: ERASED, fingerprint: fingerprint === null ? null : ERASED, submitted: null };
      return { ...event, data: { ...event.data, personal } } as RosterEvent;
    });
  const histories: [string, RosterEvent[]][] = [
    ['linked', [admitted(order)]],
    ['imported and then linked', [imported(mia, miaUser), replaced(order)]],
    ['invited', [admitted(request(mia, 'ext-mia', null)), userLinked(mia, miaUser)]],
  ];
  const readings: [string, (events: RosterEvent[]) => RosterEvent[]][] = [
    ['before a restart', (events) => events],
    ['after a restart', unreadable],
  ];
  const answer = (roster: Roster, asked: AdmissionRequest): unknown => {
    try {
      return admit(roster, asked, 9);
    } catch (error) {
      return error instanceof DomainError ? error.code : error;
    }
  };

  describe.each(histories)('%s', (_, past) => {
    it.each(readings)('answers %s: the same payload is not found, another one conflicts', (__, asRead) => {
      const roster = rosterOf(asRead(erased(past)));
      for (const user of [miaUser, null, eveUser]) {
        expect(answer(roster, request(zoe, 'ext-mia', user))).toBe('not_found');
        expect(answer(roster, request(zoe, 'ext-mia', user, 'another body'))).toBe('external_id_conflict');
      }
      // D83: under a new external id too.
      expect(answer(roster, request(zoe, 'ext-new', miaUser))).toBe('not_found');
      expect(answer(roster, request(eve, 'ext-eve', eveUser))).toHaveLength(1);
      expect(erasure(past, roster)).toEqual([]);
    });

    it('is the same roster before and after a restart, without a text of the creator', () => {
      const [before, after] = readings.map(([, asRead]) => rosterOf(asRead(erased(past))));
      expect(before).toEqual(after);
      expect(JSON.stringify([before?.creators, before?.byExternalId, before?.erased])).not.toContain('ext-mia');
    });
  });

  it.each(readings)('keeps %s the automatic external id too that its own has replaced', (_, asRead) => {
    const roster = rosterOf(asRead(erased([imported(mia, miaUser), replaced(order)])));
    expect(answer(roster, request(zoe, automaticExternalId(miaUser), eveUser))).toBe('external_id_conflict');
  });

  it('is not imported again', () => {
    const roster = rosterOf(erased([imported(mia, miaUser)]));
    expect(
      admitMembers(roster, [{ userId: miaUser, invited: null, newId: zoe }], { agencyId: agency, epoch: 1 }),
    ).toEqual([]);
    expect(answer(roster, request(zoe, automaticExternalId(miaUser), miaUser))).toBe('external_id_conflict');
  });

  it('conflicts if it was erased before hashes were stored, an imported one too', () => {
    for (const past of [[admitted(order)], [imported(mia, miaUser)]]) {
      const roster = rosterOf(unreadable(past));
      expect(answer(roster, request(zoe, 'ext-mia', miaUser))).toBe('external_id_conflict');
      expect(erasure(past, roster)).toEqual([]);
    }
  });

  it('D101: is erased again in a restored log, where it was still invited, and answers the same', () => {
    const invited = [admitted(request(mia, 'ext-mia', null))];
    const recorded = [userLinked(mia, miaUser), ...erasure([...invited, userLinked(mia, miaUser)])];
    const restored = unreadable(invited);
    const again = eraseFromRosterAgain(rosterOf(restored), mia, recorded);
    expect(again).toEqual(recorded);
    const roster = rosterOf([...restored, ...again]);
    expect(answer(roster, request(zoe, 'ext-mia', null))).toBe('not_found');
    expect(answer(roster, request(zoe, 'ext-mia', eveUser, 'another body'))).toBe('external_id_conflict');
    expect(answer(roster, request(zoe, 'ext-new', miaUser))).toBe('not_found');
    expect(eraseFromRosterAgain(roster, mia, recorded)).toEqual([]);
    // Whose user the log knows already, and of whom it knows nothing.
    expect(eraseFromRosterAgain(rosterOf([...invited, userLinked(mia, miaUser)]), mia, recorded)).toHaveLength(1);
    expect(eraseFromRosterAgain(rosterOf([]), mia, recorded)).toEqual([]);
  });

  it('leaves hashes that reveal nothing without the key, or in another workspace', () => {
    const text = JSON.stringify(erased([admitted(order)]).at(-1));
    for (const plain of ['ext-mia', 'body of ext-mia']) expect(text).not.toContain(plain);
    const other = derivedId('workspace', 'ag_nova');
    expect(hashes.externalId(other, 'ext-mia')).not.toBe(hashes.externalId(workspace, 'ext-mia'));
    expect(new ErasureHashes(Buffer.alloc(32, 8)).externalId(workspace, 'ext-mia')).not.toBe(
      hashes.externalId(workspace, 'ext-mia'),
    );
  });
});
