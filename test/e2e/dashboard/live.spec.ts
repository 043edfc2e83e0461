import { expect, test } from '@jest/globals';
import { eventually } from '#testing';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

const service = await startService({ provider: NO_PROVIDER });

/** A connection and the text received on it. */
class Connection {
  text = '';
  hasEnded = false;
  /** Rejects if the connection is cut off. */
  readonly ended: Promise<void>;

  constructor(answer: Response) {
    this.ended = this.read(answer);
  }

  private async read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body ?? []) this.text += decoder.decode(chunk, { stream: true });
    } finally {
      this.hasEnded = true;
    }
  }
}

test('an open page gets the names of what to fetch again for its agency alone, without any data', async () => {
  const agency = await service.agency();
  const other = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const answer = await member.fetch('GET', '/live');
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream',
    'no-store',
  ]);
  const connection = new Connection(answer);
  await other.active();
  const creator = await agency.active();
  await eventually(async () => {
    const topics = [...connection.text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '[]']) => JSON.parse(data));
    expect(topics).toEqual(expect.arrayContaining(['creators', 'events', 'overview']));
  });
  expect(connection.text).not.toContain(creator.id);
  await service.quiet();
  const ofOther = new Connection(await (await DashboardPage.ofMember(service, other)).fetch('GET', '/live'));
  // Changes of all agencies are sent together, so what came before this one has arrived as well.
  const changeOfOther = async () => {
    const seen = ofOther.text.length;
    await other.linked();
    await eventually(() => expect(ofOther.text.slice(seen)).toContain('creators'));
    return connection.text.replaceAll(': beat\n\n', '');
  };
  const before = await changeOfOther();
  expect(await changeOfOther()).toBe(before);
});

test("a session's third connection ends its first", async () => {
  const member = await DashboardPage.ofMember(service, await service.agency());
  const connections: Connection[] = [];
  for (let each = 0; each < 3; each++) connections.push(new Connection(await member.fetch('GET', '/live')));
  await eventually(async () => {
    expect(connections.map(({ hasEnded }) => hasEnded)).toEqual([true, false, false]);
  });
});

test('an agency has at most 32 connections, and another one is served', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const statuses = [];
  for (let each = 0; each < 33; each++) {
    const member = await DashboardPage.ofMember(service, agency);
    statuses.push((await member.fetch('GET', '/live')).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 32 }, () => 200), 429]);
  const stranger = await DashboardPage.ofMember(service, other);
  expect((await stranger.fetch('GET', '/live')).status).toBe(200);
});

test('requests that are aborted while the platform is asked take no place of the agency', async () => {
  const agency = await service.agency();
  const colleague = await DashboardPage.ofMember(service, agency);
  await service.platform.control('DELETE', '/calls');
  await service.platform.fault({ operation: 'getAgency', kind: 'delay', delay_ms: 1_000 });
  for (let each = 1; each <= 32; each++) {
    const member = await DashboardPage.ofMember(service, agency);
    const leaving = new AbortController();
    const aborted = member.fetch('GET', '/live', undefined, leaving.signal);
    await eventually(async () => expect(await service.platform.calls('getAgency')).toHaveLength(each));
    leaving.abort();
    await expect(aborted).rejects.toThrow('aborted');
  }
  expect((await colleague.fetch('GET', '/live')).status).toBe(200);
});

test('connections end first when the service stops', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const connection = new Connection(await member.fetch('GET', '/live'));
  await Promise.all([service.restart(), connection.ended]);
});
