import { contractOperations } from '../contract/document.js';
import { objectOf } from '../contract/schemas.js';
import { FAULT_KINDS, type FaultRequest } from '../faults/fault.js';
import { COUNT, control, NO_MEMBERS, oneOf, TEXT } from './control.js';

const FAULT = objectOf(
  {
    operation: oneOf('*', ...contractOperations.map((operation) => operation.id)),
    match: objectOf({ agency_id: TEXT, user_id: TEXT, reference: TEXT }),
    kind: oneOf(...FAULT_KINDS),
    status: { type: 'integer', minimum: 200, maximum: 599 },
    code: TEXT,
    delay_ms: COUNT,
    times: { type: ['integer', 'null'], minimum: 1 },
    probability: { type: 'number', minimum: 0, maximum: 1 },
    effect: oneOf('before', 'after'),
  },
  ['operation', 'kind'],
);

export const faultControls = [
  control<FaultRequest>('POST', '/faults', FAULT, ({ faults }, { body }) => faults.add(body)),
  control('GET', '/faults', NO_MEMBERS, ({ faults }) => ({ data: faults.list() })),
  control('DELETE', '/faults', NO_MEMBERS, ({ faults }) => faults.clear()),
];
