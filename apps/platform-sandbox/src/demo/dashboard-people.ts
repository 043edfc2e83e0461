import { newAgency } from '../platform/agencies.js';
import type { World } from '../state/world.js';

export const DEMO_AGENCY = 'agency_demo';
const OTHER_AGENCY = 'agency_harbour';

/** Name, what the list says, agency and roles of each, by the text that their user id derives from. */
const PEOPLE: Readonly<Record<string, readonly [string, string, string | null, readonly string[]]>> = {
  owner: ['Nora Lindgren', 'owner of Northlight Talent', DEMO_AGENCY, []],
  member: ['Tomas Okafor', 'member of Northlight Talent', DEMO_AGENCY, []],
  'other owner': ['Mireille Costa', 'owner of Harbour Talent, another agency', OTHER_AGENCY, []],
  operator: ['Priya Raman', 'operator of this service', null, ['operator']],
  auditor: ['Jonas Weber', 'auditor', null, ['auditor']],
  analyst: ['Aiko Tanaka', 'analyst', null, ['analyst']],
};

/** Those who can sign in at the dashboard, and the second agency that one of them owns. */
export function addDashboardPeople(world: World, userIdOf: (name: string) => string): void {
  world.agencies.put({ ...newAgency(OTHER_AGENCY), name: 'Harbour Talent', owner_user_id: userIdOf('other owner') });
  for (const [who, [name, title, agency_id, roles]] of Object.entries(PEOPLE)) {
    world.people.put({ id: userIdOf(who), name, title, agency_id, roles: [...roles] });
  }
}
