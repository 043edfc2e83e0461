import { describe, expect, it } from '@jest/globals';
import { agencyId, derivedUuid } from '#kernel';
import { actorOf, personOf } from './person.js';
import { mayBeOf, roleIn, roleOfStaff } from './rights.js';

const USER = '5F0C1A52-5d0f-4a39-9a93-0f6a1a7b9d11';
const NAMES = { subject: 'sub', agency: 'agency_id', roles: 'realm_access.roles' };
const lumen = agencyId('agency_lumen');

const person = (claims: object = {}) => personOf({ iss: 'https://login.example', sub: USER, ...claims }, NAMES);

const ownedBy = (ownerUserId: string) =>
  ({ id: lumen, name: 'Lumen', onboardingComplete: true, kycApproved: true, ownerUserId }) as never;

describe('A person', () => {
  it('has the claims by their names, or by the paths to them', () => {
    expect(person({ agency_id: 'agency_lumen', realm_access: { roles: ['cook', 'operator'] }, name: 'Ivy' })).toEqual({
      issuer: 'https://login.example',
      subject: USER,
      userId: USER.toLowerCase(),
      name: 'Ivy',
      agencies: [lumen],
      roles: ['operator'],
    });
  });

  it('has the claim with exactly the name first, because a name may be a URL', () => {
    const names = { ...NAMES, roles: 'https://a.example/roles' };
    const claims = { iss: 'i', sub: 's', 'https://a.example/roles': 'auditor' };
    expect(personOf(claims, names).roles).toEqual(['auditor']);
  });

  it.each([
    [{ agency_id: 7 }],
    [{ agency_id: { id: 'agency_lumen' } }],
    [{ agency_id: [null, ''] }],
    [{ realm_access: 'operator' }],
    [{ realm_access: { roles: { operator: true } } }],
    [{ realm_access: { roles: ['Operator', 'operator '] } }],
  ])('gets nothing from %j', (claims) => {
    expect(person(claims)).toMatchObject({ agencies: [], roles: [] });
  });

  it.each([' \u200b\u3164', 'Ivy\u0000', '\u001a[erased]', 'Ivy\ud83d', 'x'.repeat(201)])(
    'has the next name if the first, %j, cannot be shown',
    (name) => {
      expect(person({ name, preferred_username: '', email: 'ivy@example.com' }).name).toBe('ivy@example.com');
      expect(person({ name }).name).toBeNull();
    },
  );

  it('is in an agency one time, and in no more than a hundred', () => {
    const many = Array.from({ length: 150 }, (_, number) => `agency_${number}`);
    expect(person({ agency_id: ['agency_lumen', 'agency_lumen'] }).agencies).toEqual([lumen]);
    expect(person({ agency_id: many }).agencies).toHaveLength(100);
  });

  it('acts as the user of the platform for the own agency, and under a derived id otherwise', () => {
    const derived = `user:${derivedUuid('https://login.example', USER)}`;
    expect([actorOf(person(), true), actorOf(person(), false)]).toEqual([`user:${USER.toLowerCase()}`, derived]);
    expect(actorOf({ ...person(), userId: null }, true)).toBe(derived);
  });
});

describe('The role in an agency', () => {
  const operator = person({ realm_access: { roles: ['operator'] } });
  const member = person({ agency_id: 'agency_lumen' });
  const auditor = person({ agency_id: 'agency_other', realm_access: { roles: ['auditor'] } });
  const another = '00000000-0000-4000-8000-000000000000';

  it('is possible only where a claim names the agency, or for an operator (D109)', () => {
    expect([operator, member, auditor, person()].map((each) => mayBeOf(each, lumen))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(mayBeOf(member, agencyId('agency_lumen2'))).toBe(false);
  });

  it('is the owner by the platform alone, before all others', () => {
    for (const each of [operator, member]) expect(roleIn(each, ownedBy(USER.toLowerCase()))).toBe('owner');
    expect(roleIn({ ...member, userId: null }, ownedBy(USER))).toBe('member');
  });

  it('is the operator, and else the member', () => {
    expect([operator, member].map((each) => roleIn(each, ownedBy(another)))).toEqual(['operator', 'member']);
    expect(roleIn(operator, undefined)).toBe('operator');
  });

  it('is never more than that of a member while the platform cannot be asked', () => {
    expect([operator, member].map((each) => roleIn(each, 'unavailable'))).toEqual(['member', 'member']);
  });

  it('outside of agencies is that of the staff which may the most', () => {
    expect(roleOfStaff(person({ realm_access: { roles: ['analyst', 'auditor'] } }))).toBe('auditor');
    expect(roleOfStaff(person())).toBeNull();
  });
});
