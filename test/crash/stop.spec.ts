import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { readConfig } from '#configuration';
import { WORKER_LEASE } from '#kernel';
import { openService } from '../support/open-service.js';
import { judgeCalls } from './kill/platform-judge.js';
import { type AgencyClient, type Answer, ok, type Refusal } from './support/agency-client.js';
import { activated, invitation, linked, tally } from './support/creators.js';
import type { AppProcess } from './support/processes.js';
import { Stage } from './support/stage.js';
import { until, untilNothingOpen } from './support/until.js';

jest.setTimeout(90_000);

/** Longest time that an orderly stop may take, in milliseconds. */
const STOP_WITHIN = 10_000;
/** How long calls are held at the platform, in milliseconds: long enough to be seen under way on a crowded machine. */
const HELD = 1_500;
const WAITS = 5_000;

const IN_ORDER = { status: 0, isInTime: true };

const stopped = async (process: AppProcess) => {
  const began = performance.now();
  const status = await process.stop();
  return { status, isInTime: performance.now() - began < STOP_WITHIN };
};

let stage: Stage;
let workspaceId: string;
let secret: string;

beforeAll(async () => {
  // On a crowded machine a call that is only slow takes long; none is to time out.
  stage = await Stage.open({ PROVIDER_TIMEOUT: `${WAITS}ms` });
  await stage.agency({ total_slots: 200 });
  ({ workspaceId, secret } = await stage.openAccount());
}, 60_000);
afterEach(async () => {
  await stage.heal();
  await stage.platform.control('DELETE', '/calls');
});
afterAll(() => stage.close());

const delayed = (operation: string, time = HELD) => stage.fault({ operation, kind: 'delay', delay_ms: time });
const underWay = async (operation = '') =>
  (await stage.calls(operation && `?operation=${operation}`)).filter(({ status }) => status === null).length;

describe('a standalone process that gets the signal to stop', () => {
  let process: AppProcess;
  let client: AgencyClient;

  const start = async (settings = {}) => {
    process = stage.start('standalone', settings);
    client = stage.client(await process.ready(), secret);
  };

  const connections: Socket[] = [];
  // The sockets still have unread data, so they have not seen the service end them.
  afterEach(() => {
    for (const socket of connections.splice(0)) socket.destroy();
  });

  /** A connection on which nobody asks for anything. */
  const silent = async (bytes = ''): Promise<void> => {
    const { hostname, port } = new URL(client.url);
    const socket = connect(Number(port), hostname);
    connections.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
  };

  test('ends what is under way with its proper answers, over connections that are kept alive', async () => {
    await start();
    const users = await stage.members(3);
    const [read, changed, on] = await Promise.all(users.map((userId) => linked(client, workspaceId, userId)));
    for (const operation of ['getNativeCreator', 'updateIdentity', 'occupySlot', 'invite', 'getCapacity']) {
      await delayed(operation);
    }
    const answers = Promise.all<Answer<object>>([
      client.creator(`${read}`),
      client.update(`${changed}`, { aliases: ['nova'] }),
      client.protect(`${on}`, 'active'),
      client.enroll(invitation(workspaceId)),
      client.capacity(),
    ]);
    await until('they are under way', async () => (await underWay()) >= 5);
    expect(await stopped(process)).toEqual(IN_ORDER);
    expect(tally(await answers)).toEqual({ 200: 4, 201: 1 });
  });

  test('answers what is under way also after an error that nothing caught, and fails', async () => {
    await start({
      NODE_OPTIONS: "--import=data:text/javascript,process.on('SIGUSR2',()=>{throw(Error('unforeseen'))})",
    });
    await delayed('getCapacity');
    const answer = client.capacity();
    await until('it is under way', async () => (await underWay()) >= 1);
    expect(await process.stop('SIGUSR2')).toBe(1);
    expect(tally([await answer])).toEqual({ 200: 1 });
    expect(process.logs).toContainEqual(
      expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'unforeseen' }) }),
    );
  });

  test('waits for no platform that hangs, and for nobody who does not ask on; what waits for the platform is answered', async () => {
    await start({ PROVIDER_TIMEOUT: '15s' });
    const userIds = await stage.members(2);
    const [read = '', scanned = ''] = [
      await linked(client, workspaceId, userIds[0] ?? ''),
      await activated(client, workspaceId, userIds[1] ?? ''),
    ];
    const hang = (operation: string) => stage.fault({ operation, kind: 'hang' });
    await hang('dispatchScan');
    const scan = ok(await client.queueScan(scanned, 'hangs'), 202);
    for (const operation of ['getNativeCreator', 'invite']) await hang(operation);
    const answers = Promise.all<Answer<object>>([client.creator(read), client.enroll(invitation(workspaceId))]);
    await until('they are under way', async () => (await underWay()) >= 3);
    await silent();
    await silent('GET /v1/me HTTP/1.1\r\nhost: x\r\n');
    const head = ['POST /v1/creators HTTP/1.1', 'host: x', `authorization: Bearer ${secret}`, 'content-length: 99'];
    await silent(`${head.join('\r\n')}\r\n\r\n{`);
    expect(await stopped(process)).toEqual(IN_ORDER);
    // D28: nobody knows the outcome of the invitation.
    expect(tally(await answers)).toEqual({ '503 provider_unavailable': 1, 201: 1 });

    await stage.heal();
    await start();
    await until('the scan is seen through', async () => ok(await client.scan(scan.id)).status === 'completed');
    expect((await stage.effects()).scan_jobs[scan.id]).toBe(1);
    expect(await stopped(process)).toEqual(IN_ORDER);
  });

  test('answers completely each request that still arrives, or closes the connection before it answers', async () => {
    await start();
    await delayed('getCapacity');
    const [agent, outcomes] = [new Agent({ connections: 8 }), new Map<string, number>()];
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const ask = async (path: string, authorization: string) => {
      const asked = request(client.url + path, { dispatcher: agent, headers: { authorization } });
      // Refused, or closed before an answer began.
      const answer = await asked.catch(() => undefined);
      if (answer === undefined) return 'closed';
      const body = (await answer.body.json()) as Refusal & { simulated?: boolean };
      const isWhole = answer.headers['x-svc-mode'] === 'live' && (body.simulated ?? body.error?.code) !== undefined;
      return isWhole ? `${answer.statusCode}` : `broken: ${JSON.stringify(body)}`;
    };
    let isOver = false;
    const storm = Array.from({ length: 8 }, async (_, at) => {
      const [path, key] = [at === 0 ? '/v1/capacity' : '/v1/me', at % 2 ? secret : 'svc_live_nobody'];
      while (!isOver) count(await ask(path, `Bearer ${at === 0 ? secret : key}`));
    });
    await until('it is answered', async () => (outcomes.get('200') ?? 0) > 50 && (await underWay('getCapacity')) > 0);
    expect(await stopped(process)).toEqual(IN_ORDER);
    isOver = true;
    await Promise.all(storm);
    await agent.close();
    expect([...outcomes.keys()].toSorted()).toEqual(['200', '401', 'closed']);
  });
});

describe('a worker that gets the signal to stop', () => {
  /** More than are ordered concurrently. */
  const SCANS = 20;
  /** The next requests start when the first are answered; by then the process must have the signal. */
  const ORDER_HELD = 3_000;

  test('begins nothing more, ends what it began, and gives back what it held; another does the rest, each once', async () => {
    const [api, worker] = [stage.start('api'), stage.start('worker')];
    const client = stage.client(await api.ready(), secret);
    await worker.ready();
    const creatorIds: string[] = [];
    for (const userId of await stage.members(SCANS)) creatorIds.push(await activated(client, workspaceId, userId));
    await delayed('dispatchScan', ORDER_HELD);
    const queued = await Promise.all(creatorIds.map((id) => client.queueScan(id, `stopped ${id}`)));
    const scanIds = queued.map((answer) => ok(answer, 202).id);
    await until('calls are under way', async () => (await underWay('dispatchScan')) >= 2);
    expect(await stopped(worker)).toEqual(IN_ORDER);
    const { scan_jobs } = await stage.effects();
    expect(scanIds.filter((id) => scan_jobs[id] === undefined).length).toBeGreaterThan(0);
    expect(await underWay('dispatchScan')).toBe(0);
    expect(await heldIn(stage)).toEqual([]);

    await stage.heal();
    await stage.start('worker').ready();
    let open = scanIds;
    await untilNothingOpen(async () => {
      const scans = await Promise.all(open.map(async (id) => ok(await client.scan(id))));
      const pending = scans.filter(({ status }) => status !== 'completed');
      open = pending.map(({ id }) => id);
      return pending.map(({ id, status }) => `${id} is ${status}`);
    }, 60_000);
    expect(judgeCalls(await stage.calls())).toEqual([]);
    const done = (await stage.effects()).scan_jobs;
    expect(scanIds.map((id) => done[id])).toEqual(scanIds.map(() => 1));
    expect(await stopped(api)).toEqual(IN_ORDER);
  });
});

/** Returns the leases that any process holds in the stores. */
const heldIn = async ({ environment }: Stage) => {
  const opened = await openService(readConfig(environment));
  const { documents } = opened.services;
  const leases = await Promise.all([WORKER_LEASE].map((name) => documents.lease(name)));
  await opened.close();
  return leases.filter((lease) => lease !== undefined);
};
