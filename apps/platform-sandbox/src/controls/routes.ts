import type { FastifyInstance } from 'fastify';
import { contractOperations, type Method } from '../contract/document.js';
import { addDemoData } from '../demo/demo-data.js';
import { FAULT_KINDS, type FaultRequest } from '../faults/faults.js';
import { found, invalid } from '../operation.js';
import type { SandboxCore } from '../sandbox-core.js';
import type { Collection } from '../state/collection.js';
import { EFFECT_KINDS, type Effects, type Settings } from '../state/records.js';
import type { World } from '../state/world.js';
import { KINDS, type Kind } from './kinds.js';

type Body = Readonly<Record<string, unknown>>;

interface ControlCall {
  /** The kind of the records, and the id of one of them or of their owner. */
  kind: string;
  id: string;
  query: Readonly<Record<string, string>>;
  body: Body;
}

const FAULT_MEMBERS = 'operation match kind status code delay_ms times probability effect'.split(' ');
const OPERATIONS = ['*', ...contractOperations.map(({ id }) => id)];

export function controlRoutes(app: FastifyInstance, core: SandboxCore): void {
  const { world, faults, calls } = core;
  const control = (method: Method, path: string, run: (call: ControlCall) => unknown) =>
    app.route<{ Params: { kind: string; id: string }; Querystring: Record<string, string>; Body: Body | undefined }>({
      method,
      url: `/_sandbox${path}`,
      handler: async ({ params, query, body = {} }, reply) =>
        reply.send(core.apply(() => run({ ...params, query, body })) ?? {}),
    });

  control('POST', '/:owners/:id/:kind', (call) => makeRecords(world, call));
  control('PATCH', '/:kind/:id', (call) => changeRecord(world, call));
  control('DELETE', '/:kind/:id', (call) => deleteRecord(world, call));

  control('PATCH', '/settings', ({ body }) => {
    refuseUnknown(body, Object.keys(world.settings));
    world.settings = { ...world.settings, ...(body as Partial<Settings>) };
    return world.settings;
  });
  control('GET', '/state', () => ({ settings: world.settings, ...world.all() }));
  control('POST', '/reset', ({ body }) => {
    world.clear();
    faults.clear();
    calls.clear();
    if (body.demo) addDemoData(world);
  });

  control('POST', '/faults', ({ body }) => {
    refuseUnknown(body, FAULT_MEMBERS);
    const fault = body as unknown as FaultRequest;
    if (!OPERATIONS.includes(fault.operation)) throw invalid('body: operation');
    if (!FAULT_KINDS.includes(fault.kind)) throw invalid('body: kind');
    return faults.add(fault);
  });
  control('DELETE', '/faults', () => faults.clear());

  control('GET', '/calls', ({ query: { operation, reference, since = '0' } }) => {
    if (!/^\d+$/.test(since)) throw invalid('query: since');
    return { data: calls.find({ operation, reference, since: Number(since) }) };
  });
  control('DELETE', '/calls', () => calls.clear());

  control('GET', '/effects', () => countedEffects(world));
}

const kindAt = (name: string): Kind => found(Object.hasOwn(KINDS, name) ? KINDS[name] : undefined, 'kind of record');
const collectionAt = (world: World, name: string) => world[name as keyof World] as Collection<unknown>;

function makeRecords(world: World, { kind: name, id: ownerId, body: { count = 1, ...given } }: ControlCall) {
  const { id, members, make } = kindAt(name);
  if (make === undefined) throw invalid(`path: ${name}`);
  refuseUnknown(given, members);
  if (id in given && count !== 1) throw invalid(`body: ${id} is for one record`);
  const ids = Array.from({ length: Number(count) }, (_, at) => make(world, ownerId, given, at, Number(count)));
  return { [`${id}s`]: ids };
}

/** Changes a record, by its id or reference. Creates an agency or a person that does not exist. */
function changeRecord(world: World, { kind: name, id: key, body }: ControlCall): unknown {
  const { id, members, fresh, change } = kindAt(name);
  refuseUnknown(
    body,
    members.filter((member) => member !== id),
  );
  const records = collectionAt(world, name);
  const record = found(records.find(key) ?? fresh?.(key), 'record');
  return change ? change(world, record, body) : records.put({ ...(record as object), ...body });
}

/** Deletes a record. Its idempotency key stays known. */
function deleteRecord(world: World, { kind: name, id: key }: ControlCall): void {
  kindAt(name);
  const records = collectionAt(world, name);
  records.remove(found(records.find(key), 'record'));
}

function refuseUnknown(body: Body, members: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined) throw invalid(`body: ${unknown} is not a member`);
}

/** How often each reference has had a real effect. Durable, so that a crash of the sandbox loses no evidence. */
function countedEffects(world: World): Effects {
  const effects = Object.fromEntries(EFFECT_KINDS.map((kind) => [kind, {}])) as Effects;
  for (const { kind, reference, count } of world.effects.values()) effects[kind][reference] = count;
  return effects;
}
