import type { PersonRecord } from '../state/records.js';
import { type Control, controlBody, TEXT, TEXTS } from './control.js';

export const peopleControls: readonly Control[] = [
  {
    method: 'PUT',
    path: '/people/:id',
    members: { name: TEXT, title: TEXT, agency_id: { type: ['string', 'array', 'null'], items: TEXT }, roles: TEXTS },
    run({ world }, call) {
      const known = world.people.get(call.id) ?? newPerson(call.id);
      return world.people.put({ ...known, ...controlBody<Partial<PersonRecord>>(call), id: call.id });
    },
  },
  {
    method: 'DELETE',
    path: '/people/:id',
    members: {},
    run({ world }, call) {
      world.people.remove(call.id);
    },
  },
];

const newPerson = (id: string): PersonRecord => ({ id, name: `Person ${id}`, title: '', agency_id: null, roles: [] });
