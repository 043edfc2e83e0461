import { objectOf } from '../contract/schemas.js';
import type { PersonRecord } from '../state/records.js';
import { control, NO_MEMBERS, TEXT, TEXTS } from './control.js';

const PERSON = objectOf({
  name: TEXT,
  title: TEXT,
  agency_id: { type: ['string', 'array', 'null'], items: TEXT },
  roles: TEXTS,
});

export const peopleControls = [
  control<Partial<PersonRecord>>('PUT', '/people/:id', PERSON, ({ world }, { id, body }) =>
    world.people.put({ ...(world.people.get(id) ?? newPerson(id)), ...body, id }),
  ),
  control('DELETE', '/people/:id', NO_MEMBERS, ({ world }, { id }) => world.people.remove(id)),
];

const newPerson = (id: string): PersonRecord => ({ id, name: `Person ${id}`, title: '', agency_id: null, roles: [] });
