import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteEventLog } from '#event-log';
import { newEventId, type RecordedEvent } from '#kernel';
import { withHashChain } from '../hash-chain.js';
import { remembered as rememberedSeal } from '../remembered-seal.js';
import { LOSS_ACCEPTED, SEALS, type Seal, type Sealed } from '../seal.js';
import { SealKey } from '../seal-key.js';
import { key, type Row, recorded, SealedLog } from './sealed-log.fixtures.js';

let sealed: SealedLog;

beforeAll(async () => {
  sealed = await SealedLog.write();
});

afterAll(() => sealed.remove());

describe('A log with inserted events', () => {
  it('names an event that was inserted, chained and all', async () => {
    for (const index of [0, 17, 61, sealed.newest.statement.count - 4]) {
      const id = newEventId();
      const faults = await sealed.faultsOfForged((events) => {
        const like = events[index] as RecordedEvent;
        return events.toSpliced(index, 0, { ...like, id, stream: 'alien-1', type: 'alien.v1' });
      });
      expect(faults[0]).toMatchObject({ kind: 'inserted', number: index + 1, id });
    }
  });

  it('names an event that was replaced, with every later hash recomputed', async () => {
    for (const index of [0, 33, 88]) {
      let id = '';
      const faults = await sealed.faultsOfForged((events) => {
        const like = events[index] as RecordedEvent;
        id = like.id;
        return events.with(index, { ...like, data: { forged: true } });
      });
      expect(faults[0]).toMatchObject({ kind: 'changed', number: index + 1, id });
    }
  });
});

describe('D91: a log without the seal that the key store remembers', () => {
  const remembered = () => {
    const last = sealed.rows.filter((row) => recorded(row).stream === SEALS).at(-1) as Row;
    return rememberedSeal(recorded(last) as RecordedEvent<Sealed>, key);
  };
  const kindsAfter = async (change: (events: RecordedEvent[]) => readonly RecordedEvent[], seal = remembered()) => {
    const faults = await sealed.faultsOfForged(change, { remembered: seal });
    return faults.filter(({ kind }) => kind === 'seals_missing').map(({ id }) => id);
  };

  it('has that fault, although an event was changed and all else fits', async () => {
    const forge = (events: readonly RecordedEvent[]) =>
      events.filter(({ stream }) => stream !== SEALS).map((event, n) => (n === 33 ? { ...event, data: {} } : event));
    expect(await sealed.faultsOfForged(forge)).toEqual([]);
    expect(await kindsAfter(forge)).toEqual([remembered().id]);
  });

  it('has that fault if its end was cut off with the seal, and if events are missing that the seal covers', async () => {
    expect(await kindsAfter((events) => events.slice(0, sealed.newest.statement.count - 9))).toEqual([remembered().id]);
    expect(await kindsAfter((events) => events.toSpliced(3, 20))).toEqual([remembered().id]);
  });

  it('has that fault if what is remembered was signed by another', async () => {
    const foreign = rememberedSeal(
      { id: remembered().id, data: { ...sealed.newest, prints: '' } },
      new SealKey(Buffer.alloc(32, 8)),
    );
    expect(await kindsAfter((events) => events, foreign)).toEqual([foreign.id]);
  });

  it('has no fault if it has that seal, or later ones too', async () => {
    const [first] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const early = rememberedSeal(recorded(first as Row) as RecordedEvent<Sealed>, key);
    for (const seal of [remembered(), early]) {
      expect((await sealed.verify(sealed.original, { remembered: seal })).faults).toEqual([]);
    }
  });

  it('has a bad seal if those before its first one are missing', async () => {
    const [first] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const faults = await sealed.faultsOfForged((events) => events.filter(({ id }) => id !== first?.id));
    expect(faults).toContainEqual(
      expect.objectContaining({ message: `the log lacks the seal ${first?.id} before it` }),
    );
  });

  it('names the events with which operators have accepted such a loss', async () => {
    const id = newEventId();
    const file = sealed.tamper(() => undefined);
    const log = withHashChain(openSqliteEventLog({ file }));
    const { metadata } = recorded(sealed.rows[0] as Row);
    const lost = { id: 'gone', count: 1, root: 'r' };
    await log.append(SEALS, 'any', [
      { id, type: LOSS_ACCEPTED, data: { lost }, metadata: { ...metadata, at: Date.now() } },
    ]);
    await log.close();
    expect(await sealed.verify(file)).toMatchObject({ faults: [], acceptedLosses: [id] });
  });
});

describe('A log with a seal that is not what it was', () => {
  const sealRow = () => sealed.rows.filter((row) => recorded(row).stream === SEALS)[2] as Row;
  const resealed = (change: (seal: RecordedEvent) => object) =>
    sealed.faultsOfForged((events) =>
      events.map((event) => (event.id === sealRow().id ? { ...event, data: change(event) } : event)),
    );

  it('names one that another key has signed', async () => {
    const other = new SealKey(Buffer.alloc(32, 8));
    const faults = await resealed(({ data: content }) => {
      const { statement } = content as Seal;
      return { ...content, signature: other.sign(`seal.v1\n${JSON.stringify(statement)}`) };
    });
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', id: sealRow().id, number: sealRow().position }),
    );
  });

  it('names one that says that another key signed it', async () => {
    const other = new SealKey(Buffer.alloc(32, 8));
    const faults = await resealed(({ data: content }) => {
      const statement = { ...(content as Seal).statement, key: other.publicKey.id };
      return { ...content, statement, signature: other.sign(`seal.v1\n${JSON.stringify(statement)}`) };
    });
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', message: expect.stringContaining(other.publicKey.id) }),
    );
  });

  it('names one that was replaced by an older one', async () => {
    const [older] = sealed.rows.filter((row) => recorded(row).stream === SEALS);
    const faults = await resealed(() => (recorded(older as Row) as RecordedEvent).data);
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: 'bad_seal', id: sealRow().id, number: sealRow().position }),
    );
  });

  it('names a root that is not that of the events', async () => {
    const faults = await resealed(({ data: content }) => {
      const { statement } = content as Seal;
      const again = { ...statement, root: 'A'.repeat(43) };
      return { ...content, statement: again, signature: key.sign(`seal.v1\n${JSON.stringify(again)}`) };
    });
    expect(faults).toContainEqual(expect.objectContaining({ kind: 'bad_seal', id: sealRow().id }));
  });

  it('refuses the seal of another installation, and a stored seal that was changed', async () => {
    const { faults } = await sealed.verify(sealed.original, {}, new SealKey(Buffer.alloc(32, 8)).publicKey);
    expect(faults[0]).toMatchObject({ kind: 'bad_seal' });
    const kept = { ...sealed.newest, statement: { ...sealed.newest.statement, count: 1 } };
    expect((await sealed.verify(sealed.original, { kept })).faults).toMatchObject([{ kind: 'bad_seal', number: 0 }]);
  });
});
