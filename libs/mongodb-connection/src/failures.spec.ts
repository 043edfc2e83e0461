import { describe, expect, it } from '@jest/globals';
import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
} from 'mongodb';
import { StoreUnavailable } from '#kernel';
import { asStoreError, hasTimedOut, isDuplicateKey, mayGoWellAgain } from './retries.js';

/** As the driver throws what befell the connection within a bulk write: its constructor takes errors too. */
const within = (error: MongoError): MongoBulkWriteError =>
  Reflect.construct(MongoBulkWriteError, [error, { insertedCount: 0 }]);

const timeout = new MongoNetworkTimeoutError('connection 3 to 127.0.0.1:27017 timed out');
const broken = new MongoNetworkError('connection 3 to 127.0.0.1:27017 closed');
const messageOf = (error: unknown): string => {
  const named = asStoreError(error);
  return named instanceof StoreUnavailable ? named.message : `not named: ${error}`;
};

describe('a timeout says that it is one', () => {
  it.each([
    ['of a command', timeout],
    ['within a bulk write', within(timeout)],
  ])('%s, with the server that did not answer', (_, error) => {
    expect(messageOf(error)).toBe(
      'the document store did not answer in time, MongoNetworkTimeoutError: connection 3 to 127.0.0.1:27017 timed out',
    );
    expect(hasTimedOut(error)).toBe(true);
    expect(mayGoWellAgain(error)).toBe(false);
  });

  it('of the server itself', () => {
    const error = new MongoServerError({ message: 'operation exceeded time limit: {secret: 1}', code: 50 });
    expect(messageOf(error)).toBe('the document store did not answer in time, MongoServerError 50');
    expect(hasTimedOut(error)).toBe(true);
  });

  it('of the wait for a connection, of which the driver exports no class', () => {
    const error = Object.defineProperty(new MongoError('none was free'), 'name', {
      value: 'MongoWaitQueueTimeoutError',
    });
    expect(messageOf(error)).toContain('did not answer in time, MongoWaitQueueTimeoutError');
  });
});

it('a connection that broke within a bulk write is worth another attempt, and is named', () => {
  for (const error of [broken, within(broken)]) {
    expect(mayGoWellAgain(error)).toBe(true);
    expect(hasTimedOut(error)).toBe(false);
    expect(messageOf(error)).toBe(
      'the document store failed, MongoNetworkError: connection 3 to 127.0.0.1:27017 closed',
    );
  }
});

it('a refusal of the server is named by its code and never by its text, which quotes documents', () => {
  const refusal = new MongoBulkWriteError(
    { message: 'E11000 duplicate key {email: "mia@example.com"}', code: 11_000, writeErrors: [] },
    Reflect.get(within(broken), 'result'),
  );
  expect(isDuplicateKey(refusal)).toBe(true);
  expect(messageOf(refusal)).toBe('the document store failed, MongoBulkWriteError 11000');
  expect(asStoreError(new TypeError('ours'))).toEqual(new TypeError('ours'));
});
