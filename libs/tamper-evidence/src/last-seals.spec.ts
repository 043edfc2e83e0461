import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventLog, HOUR, newEventId, type RecordedEvent, type StreamName } from '#kernel';
import { InMemoryEventLog, InMemoryKeyStore } from '#testing';
import { InterceptedLog } from '../../kernel/src/stores/intercepted-log.fixtures.js';
import { withHashChain } from './hash-chain.js';
import { LastSeals, SealsMissing } from './last-seals.js';
import { LOSS_ACCEPTED, SEALED, SEALS, type Sealed, SealKey } from './seal.js';
import { Sealing } from './sealing.js';

const NOW = 1_767_225_600_000;
const EVERY = 5;
const [key, next, foreign] = [7, 8, 9].map((byte) => new SealKey(Buffer.alloc(32, byte))) as [
  SealKey,
  SealKey,
  SealKey,
];

let log: EventLog;
let memory: InMemoryKeyStore;

/** As a process has it. */
const processOn = (on: EventLog, ...all: SealKey[]) => {
  const keys = { current: all[0] ?? key, all: all.length === 0 ? [key] : all };
  const lastSeals = new LastSeals(on, memory, keys);
  return { lastSeals, sealing: new Sealing(on, keys, EVERY, undefined, lastSeals) };
};
const append = async (on: EventLog, count: number) => {
  const metadata = { at: NOW, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null };
  const events = Array.from({ length: count }, () => ({
    id: newEventId(),
    type: 'thing.happened.v1',
    data: {},
    metadata,
  }));
  await on.append('thing-1', 'any', events);
};
const sealsOf = async (on: EventLog) => {
  const events = (await on.readStream(SEALS)) as RecordedEvent<Sealed>[];
  return events.filter(({ type }) => type === SEALED);
};
const lastSealOf = async (on: EventLog) => {
  const last = (await sealsOf(on)).at(-1);
  return last && { id: last.id, count: last.data.statement.count, root: last.data.statement.root };
};
/** The log as somebody rewrites it who knows the format: every hash fits again. */
const rewritten = async (change: (event: RecordedEvent) => RecordedEvent | undefined): Promise<EventLog> => {
  const forged = withHashChain(new InMemoryEventLog());
  for (const event of (await log.readLog({ after: 0, limit: 1_000 })).events) {
    const written = change(event);
    if (written !== undefined) await forged.append(written.stream, 'any', [written]);
  }
  return forged;
};
const isSeal = ({ stream }: RecordedEvent) => stream === SEALS;

beforeEach(async () => {
  log = withHashChain(new InMemoryEventLog());
  memory = new InMemoryKeyStore();
  await append(log, 12);
  await processOn(log).sealing.sealAll(NOW);
});

describe('D91: the last seal is remembered outside the log', () => {
  it('is that of the newest seal, and the log lacks nothing', async () => {
    expect(await memory.lastSeal()).toMatchObject((await lastSealOf(log)) ?? {});
    expect(await processOn(log).lastSeals.missing()).toBeUndefined();
  });

  it('follows the seals of a process that died before it had remembered one', async () => {
    const remembered = await memory.lastSeal();
    await append(log, 3);
    await new Sealing(log, key, EVERY).sealAll(NOW);
    expect(await memory.lastSeal()).toEqual(remembered);
    const { sealing, lastSeals } = processOn(log);
    expect(await lastSeals.missing()).toBeUndefined();
    await sealing.runDue(NOW);
    expect(await memory.lastSeal()).toMatchObject((await lastSealOf(log)) ?? {});
  });

  it('is never lowered', async () => {
    const remembered = await memory.lastSeal();
    const [first] = await sealsOf(log);
    if (first === undefined) throw new Error('there is a first seal');
    await processOn(log).lastSeals.remember(first, key);
    expect(await memory.lastSeal()).toEqual(remembered);
  });

  it('is adopted once if an older version has sealed, and never otherwise', async () => {
    memory = new InMemoryKeyStore();
    const { sealing, lastSeals } = processOn(log);
    await append(log, 6);
    await sealing.sealAll(NOW);
    expect(await memory.lastSeal()).toBeUndefined();
    expect(await lastSeals.adopt()).toMatchObject((await lastSealOf(log)) ?? {});
    expect(await lastSeals.adopt()).toBeUndefined();
    expect(await lastSeals.missing()).toBeUndefined();
  });
});

describe('D91: nothing is sealed in a log that lacks the seal', () => {
  const forgeries: Readonly<Record<string, () => Promise<EventLog>>> = {
    'with an event that was changed, and all seals deleted': () =>
      rewritten((event) => (isSeal(event) ? undefined : { ...event, data: { forged: event.revision === 3 } })),
    'that was put back to an older state, with the seals of that time': async () => {
      const { events } = await log.readLog({ after: 0, limit: 1_000 });
      const newest = events.findLast(isSeal);
      return rewritten((event) => (event.position < (newest?.position ?? 0) ? event : undefined));
    },
    'whose seals were replaced by other events': () =>
      rewritten((event) => (isSeal(event) ? { ...event, type: 'seal.note.v1', data: {} } : event)),
    'whose last seal was replaced by an earlier one': async () => {
      const seals = await sealsOf(log);
      return rewritten((event) => (event.id === seals.at(-1)?.id ? { ...event, data: seals[0]?.data ?? {} } : event));
    },
    'that is empty': async () => withHashChain(new InMemoryEventLog()),
  };

  it.each(Object.entries(forgeries))('%s', async (_name, forge) => {
    const forged = await forge();
    await append(forged, 7);
    const before = await sealsOf(forged);
    const remembered = await memory.lastSeal();
    const { sealing, lastSeals } = processOn(forged);
    for (const seal of [() => sealing.runDue(NOW + HOUR), () => sealing.sealAll(NOW + HOUR)]) {
      await expect(seal()).rejects.toThrow(SealsMissing);
    }
    expect(await lastSeals.missing()).toContain(`lacks the seal ${remembered?.id} over ${remembered?.count} events`);
    expect(await sealsOf(forged)).toEqual(before);
    expect(await memory.lastSeal()).toEqual(remembered);
  });

  it('and a process says so when it starts, before a seal is due', async () => {
    await expect(processOn(withHashChain(new InMemoryEventLog())).sealing.runDue(NOW)).rejects.toThrow(SealsMissing);
  });

  it('not either if its seals are replaced while a process runs that knows them', async () => {
    const replaced = new Set<string>();
    const readStream = async (stream: StreamName, options?: object) =>
      (await log.readStream(stream, options)).map((event) =>
        replaced.has(event.id) ? { ...event, type: 'seal.note.v1', data: {} } : event,
      );
    const running = processOn(Object.assign(new InterceptedLog(log), { readStream }));
    await append(log, 6);
    await running.sealing.sealAll(NOW);
    for (const { id } of await sealsOf(log)) replaced.add(id);
    await append(log, 6);
    await expect(running.sealing.sealAll(NOW)).rejects.toThrow(SealsMissing);
  });

  it('not either if the events are gone that the seal covers', async () => {
    const forged = await rewritten((event) => (event.stream === 'thing-1' && event.revision > 2 ? undefined : event));
    expect(await processOn(forged).lastSeals.missing()).toContain('lacks the event');
  });

  it('not either if what is remembered was signed by another', async () => {
    const remembered = await memory.lastSeal();
    const others = new LastSeals(log, memory, { current: foreign, all: [key, foreign] });
    await others.signWith(foreign);
    expect(await memory.lastSeal()).toEqual({
      ...remembered,
      signature: expect.not.stringMatching(remembered?.signature ?? ''),
    });
    expect(await processOn(log).lastSeals.missing()).toContain('is not signed with the key');
  });
});

describe('D91: an operator accepts the loss', () => {
  it('is recorded in the log, which is sealed again and remembered', async () => {
    const lost = await memory.lastSeal();
    const forged = await rewritten((event) => (isSeal(event) ? undefined : event));
    const { sealing, lastSeals } = processOn(forged);
    expect(await lastSeals.acceptLoss(NOW, 'operator:ada')).toBe(true);
    await sealing.sealAll(NOW);
    const [accepted, ...later] = await forged.readStream(SEALS);
    const { id, count, root } = lost ?? {};
    expect(accepted).toMatchObject({ type: LOSS_ACCEPTED, metadata: { actor: 'operator:ada' } });
    expect(accepted?.data).toEqual({ lost: { id, count, root } });
    expect(later.length).toBeGreaterThan(0);
    expect(await memory.lastSeal()).toMatchObject((await lastSealOf(forged)) ?? {});
    const restarted = processOn(forged);
    expect(await restarted.lastSeals.missing()).toBeUndefined();
    await append(forged, 6);
    expect(await restarted.sealing.sealAll(NOW)).toBeGreaterThan(0);
  });

  it('continues after the seals that the log still has', async () => {
    const { events } = await log.readLog({ after: 0, limit: 1_000 });
    const newest = events.findLast(isSeal);
    const older = await rewritten((event) => (event.position < (newest?.position ?? 0) ? event : undefined));
    const before = await lastSealOf(older);
    const { sealing, lastSeals } = processOn(older);
    await lastSeals.acceptLoss(NOW, 'operator:ada');
    await sealing.sealAll(NOW);
    expect((await sealsOf(older)).at(-1)?.data.statement.previous).toBe(before?.id);
    expect(await processOn(older).lastSeals.missing()).toBeUndefined();
  });

  it('accepts nothing where nothing is missing', async () => {
    expect(await processOn(log).lastSeals.acceptLoss(NOW, 'operator:ada')).toBe(false);
    expect((await log.readStream(SEALS)).some(({ type }) => type === LOSS_ACCEPTED)).toBe(false);
  });
});

describe('D91: a rotation of the master key', () => {
  it('signs what is remembered with the new key, also where the log names that key already', async () => {
    await processOn(log, next, key).sealing.changeKey(key, NOW);
    expect(await processOn(log, next).lastSeals.missing()).toBeUndefined();
    await processOn(log, next, key).lastSeals.signWith(key);
    await processOn(log, next, key).sealing.changeKey(key, NOW);
    expect(await processOn(log, next).lastSeals.missing()).toBeUndefined();
  });

  it('is not undone by a process that remembers a seal that it made with the old key', async () => {
    await append(log, 3);
    await new Sealing(log, key, EVERY).sealAll(NOW);
    const late = (await sealsOf(log)).at(-1);
    if (late === undefined) throw new Error('there is a last seal');
    const during = processOn(log, next, key);
    await during.sealing.changeKey(key, NOW);
    await during.lastSeals.remember(late, key);
    expect(await memory.lastSeal()).toMatchObject({ id: late.id });
    expect(await processOn(log, next).lastSeals.missing()).toBeUndefined();
  });
});
