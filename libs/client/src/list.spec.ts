import { describe, expect, it } from '@jest/globals';
import { itemsOf, pageOf, ScriptedService } from './scripted-service.fixtures.js';

const threePages = () => new ScriptedService(pageOf(['a', 'b'], '1'), pageOf([], '2'), pageOf(['c'], null));
const pathsOf = ({ sent }: ScriptedService) => sent.map(({ path }) => path);

describe('a list', () => {
  it('sends nothing until it is iterated, and no more pages than are needed', async () => {
    const service = threePages();
    const list = service.client().creators.list();
    expect(service.sent).toEqual([]);
    for await (const item of list) if (String(item) === 'b') break;
    expect(pathsOf(service)).toEqual(['/v1/creators?limit=100']);
  });

  it('has pages, which may be empty', async () => {
    const pages = await itemsOf(threePages().client().creators.list().pages());
    expect(pages.map(({ data, next_cursor }) => [data, next_cursor])).toEqual([
      [['a', 'b'], '1'],
      [[], '2'],
      [['c'], null],
    ]);
  });

  it('begins after a cursor, with pages of a length', async () => {
    const service = threePages();
    await service.client().creators.list({ after: 'x', limit: 2, timeout: 1_000 }).toArray();
    expect(pathsOf(service)).toEqual(
      ['?limit=2&after=x', '?limit=2&after=1', '?limit=2&after=2'].map((query) => `/v1/creators${query}`),
    );
  });

  it('begins at the start after the cursor that a last page has', async () => {
    const service = threePages();
    await service.client().creators.list({ after: null }).toArray({ limit: 1 });
    expect(pathsOf(service)).toEqual(['/v1/creators?limit=100']);
  });

  it('becomes an array of all items, or of the first ones', async () => {
    expect(await threePages().client().creators.list().toArray()).toEqual(['a', 'b', 'c']);
    const service = threePages();
    expect(await service.client().creators.list().toArray({ limit: 1 })).toEqual(['a']);
    expect(await service.client().creators.list().toArray({ limit: 0 })).toEqual([]);
    expect(service.sent).toHaveLength(1);
  });
});
