import { contractMembers, type Method, type Schema } from '../contract/document.js';
import { closed } from '../contract/schemas.js';
import { found } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';
import type { Collection } from '../state/collection.js';
import type { World } from '../state/world.js';

interface ControlCall<Body> {
  /** The path's parameter. */
  id: string;
  query: Readonly<Record<string, string>>;
  body: Body;
}

export interface Control {
  method: Method;
  path: string;
  /** The schema of the body. */
  schema: Schema;
  run(core: SandboxCore, call: ControlCall<unknown>): unknown;
}

export type Members = Readonly<Record<string, Schema>>;

/** The members describe `Body`, which the body has when it has passed; those that are not required may be left out. */
export function control<Body>(
  method: Method,
  path: string,
  members: Members,
  run: (world: World, call: ControlCall<Body>, core: SandboxCore) => unknown,
  required: string[] = [],
): Control {
  const schema = closed({ type: 'object', properties: members, required });
  return { method, path, schema, run: (core, call) => run(core.world, { ...call, body: call.body as Body }, core) };
}

/** `PATCH` of a record of one kind, by its id or reference. */
export function change<R, Body = Partial<R>>(
  kind: string,
  members: Members,
  of: (world: World) => Collection<R>,
  apply: (world: World, record: R, body: Body) => unknown,
): Control {
  return control<Body>('PATCH', `/${kind}/:id`, members, (world, { id, body }) =>
    apply(world, found(of(world).find(id), 'record'), body),
  );
}

/** `DELETE` of a record of one kind. Its idempotency key stays known, unless `?forget=true`. */
export function deletion<R>(
  kind: string,
  of: (world: World) => Collection<R>,
  remembered?: (record: R) => string,
): Control {
  return control('DELETE', `/${kind}/:id`, {}, (world, { id, query }) => {
    const record = found(of(world).remove(id), 'record');
    if (remembered && query.forget === 'true') world.remembered.remove(remembered(record));
  });
}

/** The schemas of an object's members in the contract, without those that the sandbox sets itself. */
export function membersOf(name: string, ...set: string[]): Members {
  return Object.fromEntries(Object.entries(contractMembers(name)).filter(([member]) => !set.includes(member)));
}

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const UUID: Schema = { type: 'string', format: 'uuid' };
