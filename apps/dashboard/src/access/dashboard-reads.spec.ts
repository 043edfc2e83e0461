import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { agencyId, nextPart, type Permit } from '#kernel';
import { ReplaysController } from '../deliveries/deliveries.controller.js';
import { DashboardReads, ReadInTurn } from './dashboard-reads.js';
import type { DashboardSession } from './dashboard-session.js';

const visit = (agency: string, actor: string) =>
  ({ agencyId: agencyId(agency), context: { actor } }) as DashboardSession;

const responses = new Set<EventEmitter>();

afterEach(() => {
  for (const response of responses) response.emit('close');
});

class Readers {
  readonly reads = new DashboardReads();
  readonly permits: Permit[] = [];
  private readonly begun: string[] = [];

  begin(name: string, agency = 'agency_lumen', actor = 'user:ana') {
    const response = Object.assign(new EventEmitter(), { destroyed: false });
    responses.add(response);
    const outcome = this.reads.begin(visit(agency, actor), response as unknown as ServerResponse).then(
      (permit) => {
        this.begun.push(name);
        this.permits.push(permit);
      },
      (error: unknown) => error,
    );
    return { response, outcome };
  }

  /** The names of those that have begun, as soon as there are this many. */
  async names(count: number): Promise<readonly string[]> {
    while (this.begun.length < count) await nextTurn();
    return this.begun;
  }

  /** A read that has begun ends. */
  end(): void {
    this.permits.shift()?.release();
  }
}

it('lets two reads of an agency run at a time, and does not hold up another agency (D109)', async () => {
  const readers = new Readers();
  for (const name of ['one', 'two', 'three']) readers.begin(name);
  readers.begin('other', 'agency_nova');
  expect(await readers.names(3)).toEqual(['one', 'two', 'other']);
  readers.end();
  expect(await readers.names(4)).toEqual(['one', 'two', 'other', 'three']);
});

it('lets the people of an agency take turns, however many reads of one of them wait', async () => {
  const readers = new Readers();
  for (let n = 0; n < 20; n++) readers.begin(`${n}`);
  readers.begin('of a colleague', 'agency_lumen', 'user:bo');
  for (let n = 0; n < 2; n++) {
    await readers.names(n + 2);
    readers.end();
  }
  expect(await readers.names(4)).toEqual(['0', '1', '2', 'of a colleague']);
});

it('gives no place to a read whose client has left', async () => {
  const readers = new Readers();
  for (const name of ['one', 'two']) readers.begin(name);
  const left = readers.begin('left');
  readers.begin('three');
  left.response.emit('close');
  expect(await left.outcome).toMatchObject({ code: 'rate_limited' });
  await readers.names(2);
  readers.end();
  expect(await readers.names(3)).toEqual(['one', 'two', 'three']);
});

it('counts a part of an answer that is sent while it is read', async () => {
  const readers = new Readers();
  for (const name of ['one', 'two']) readers.begin(name);
  await readers.names(2);
  let isRead = false;
  const part = readers.reads.part(visit('agency_lumen', 'user:ana'), async () => {
    isRead = true;
  });
  await nextPart();
  expect(isRead).toBe(false);
  readers.end();
  await part;
  expect(isRead).toBe(true);
});

it('counts the request of a replay, which reads what matches (D109)', () => {
  const { request, list, end } = ReplaysController.prototype;
  const inTurn = [request, list, end].map((route) => Reflect.getMetadata(INTERCEPTORS_METADATA, route));
  expect(inTurn).toEqual([[ReadInTurn], [ReadInTurn], undefined]);
});
