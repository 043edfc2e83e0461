import { contractOperations } from '../contract/document.js';
import { FAULT_KINDS, type FaultRequest } from '../faults/fault.js';
import { COUNT, type Control, controlBody, oneOf, TEXT } from './control.js';

export const faultControls: readonly Control[] = [
  {
    method: 'POST',
    path: '/faults',
    members: {
      operation: oneOf('*', ...contractOperations.map((operation) => operation.id)),
      match: {
        type: 'object',
        additionalProperties: false,
        properties: { agency_id: TEXT, user_id: TEXT, reference: TEXT },
      },
      kind: oneOf(...FAULT_KINDS),
      status: { type: 'integer', minimum: 200, maximum: 599 },
      code: TEXT,
      delay_ms: COUNT,
      times: { type: ['integer', 'null'], minimum: 1 },
      probability: { type: 'number', minimum: 0, maximum: 1 },
      effect: oneOf('before', 'after'),
    },
    required: ['operation', 'kind'],
    run: (core, call) => core.faults.add(controlBody<FaultRequest>(call)),
  },
  {
    method: 'GET',
    path: '/faults',
    members: {},
    run: (core) => ({ data: core.faults.list() }),
  },
  {
    method: 'DELETE',
    path: '/faults',
    members: {},
    run: (core) => core.faults.clear(),
  },
];
