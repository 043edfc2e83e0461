import { describe, expect, it } from '@jest/globals';
import { agencyId, derivedUuid } from '#kernel';
import { actorOf, personOf } from './person.js';
import { roleIn, roleOfStaff } from './rights.js';

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
  const another = '00000000-0000-4000-8000-000000000000';

  it('is the owner by the platform alone, before all others', () => {
    for (const each of [person(), operator, member]) {
      expect(roleIn(each, lumen, ownedBy(USER.toLowerCase()), [])).toBe('owner');
    }
    expect(roleIn({ ...person(), userId: null }, lumen, ownedBy(USER), [])).toBeNull();
  });

  it('is the operator, then the member, and else none', () => {
    const native = ownedBy(another);
    expect([operator, member, person()].map((each) => roleIn(each, lumen, native, []))).toEqual([
      'operator',
      'member',
      null,
    ]);
    expect(roleIn(member, agencyId('agency_other'), native, [])).toBeNull();
    expect(roleIn(operator, lumen, undefined, [])).toBe('operator');
  });

  it('is never more than that of a member while the platform cannot be asked', () => {
    const roles = [operator, member, person()].map((each) => roleIn(each, lumen, 'unavailable', []));
    expect(roles).toEqual(['member', 'member', null]);
    expect(roleIn(person(), lumen, 'unavailable', [lumen])).toBe('member');
  });

  it('outside of agencies is that of the staff which may the most', () => {
    expect(roleOfStaff(person({ realm_access: { roles: ['analyst', 'auditor'] } }))).toBe('auditor');
    expect(roleOfStaff(person())).toBeNull();
  });
});
