import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  derivedId,
  derivedUuid,
  ID_PREFIXES,
  type IdKind,
  newEventId,
  newId,
  parseId,
  parseUserId,
  typeIdOfBytes,
} from './ids.js';

const kinds = Object.keys(ID_PREFIXES) as IdKind[];
const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

describe('a TypeID (D12)', () => {
  // https://github.com/jetify-com/typeid/blob/main/spec/valid.yml
  it.each([
    ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
    ['00000000000000000000000010', '00000000-0000-0000-0000-000000000020'],
    ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
    ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ])('with the suffix %s is that of the UUID %s, as in its specification', (suffix, uuid) => {
    const id = typeIdOfBytes('creator', bytesOf(uuid));
    expect(id).toBe(`crt_${suffix}`);
    expect(parseId('creator', id)).toBe(id);
  });

  it('is parsed for every 16 bytes and kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.constantFrom(...kinds), (bytes, kind) => {
        const id = typeIdOfBytes(kind, bytes);
        expect(id).toHaveLength(30);
        expect(parseId(kind, id)).toBe(id);
        for (const other of kinds) if (other !== kind) expect(parseId(other, id)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['more than 128 bits', 'crt_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['an upper case suffix', 'crt_01H455VB4PEX5VSKNK084SN02Q'],
    ['an upper case prefix', 'CRT_01h455vb4pex5vsknk084sn02q'],
    ['another prefix', 'scn_01h455vb4pex5vsknk084sn02q'],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['no separator', 'crt01h455vb4pex5vsknk084sn02q'],
    ['a letter that Crockford leaves out', 'crt_01h455vb4pex5vsknk084sn02i'],
    ['a hyphen', 'crt_01h455vb4pex5-sknk084sn02q'],
    ['25 characters', 'crt_01h455vb4pex5vsknk084sn02'],
    ['27 characters', 'crt_01h455vb4pex5vsknk084sn02qq'],
    ['a line break at its end', 'crt_01h455vb4pex5vsknk084sn02q\n'],
    ['a space before it', ' crt_01h455vb4pex5vsknk084sn02q'],
    ['a digit of another script', 'crt_01h455vb4pex5vsknk084sn02٢'],
    ['nothing', ''],
  ])('with %s is none', (_, text) => {
    expect(parseId('creator', text)).toBeUndefined();
  });

  it.each(kinds)('of the kind %s that is new can be parsed, is unique, and sorts by time', (kind) => {
    const ids = Array.from({ length: 1_000 }, () => newId(kind));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => parseId(kind, id) === id)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('a derived id', () => {
  it('never changes, because streams are named by it', () => {
    expect(derivedId('workspace', 'ag_lumen')).toBe('wsp_29xw8vmsftaxrr8qjqatptcwc0');
    expect(derivedId('scan', 'ag_lumen', 'manual', 'order-1')).toBe('scn_6nwbe5bk1ya4x9qvd8f5e7m84j');
    expect(derivedId('scan', 'crt_1', 'scheduled', 1_767_225_600_000)).toBe('scn_5q9eb3kywbac1t3redfsgqzysb');
    expect(derivedId('case', 'wsp_1', 'crt_1', 'leak 1')).toBe('cas_1y4nbax236bqq9xk53785ysbt6');
    expect(derivedUuid('a', 'b')).toBe('2f917771-35bb-5532-81fb-fe6ebb706b64');
  });

  it('depends on the kind, and on where one part ends and the next begins', () => {
    const ids = [
      derivedUuid('scan', 'a'),
      derivedUuid('case', 'a'),
      derivedUuid('scan', 'a', ''),
      derivedUuid('scan', '', 'a'),
      derivedUuid('scan', 'a1:b'),
      derivedUuid('scan', 'a', 'b'),
      derivedUuid('scan', 'ab'),
      derivedUuid('scan', '1:a'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is different for every list of parts', () => {
    const parts = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(derivedUuid(...one) === derivedUuid(...other)).toBe(isSame);
      }),
    );
  });
});

it('creates a new UUIDv7 for each event, which contains the time', () => {
  const began = Date.now();
  const ids = Array.from({ length: 1_000 }, newEventId);
  const ended = Date.now();
  expect(new Set(ids).size).toBe(1_000);
  expect(new Set(ids.map((id) => id.slice(-16))).size).toBe(1_000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const at = bytesOf(id).readUIntBE(0, 6);
    expect(began <= at && at <= ended).toBe(true);
  }
});

describe('the id of a native user', () => {
  it('is any UUID, in lower case', () => {
    expect(parseUserId('0A0000FF-0000-4000-8000-00000000000a')).toBe('0a0000ff-0000-4000-8000-00000000000a');
    expect(parseUserId('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it.each([
    '',
    'me',
    '0a0000ff00004000800000000000000a',
    '{0a0000ff-0000-4000-8000-00000000000a}',
    '0a0000ff-0000-4000-8000-00000000000g',
    '0a0000ff-0000-4000-8000-00000000000a\n',
  ])('is not %j', (text) => {
    expect(parseUserId(text)).toBeUndefined();
  });
});
