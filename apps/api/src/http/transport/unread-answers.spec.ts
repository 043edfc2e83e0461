import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check';
import { bytesOf, UnreadAnswers } from './connections.js';

const MAX_BYTES = 1_000;

/** An answer whose connection can be cut. */
class Answer {
  isCut = false;
  readonly req = { socket: { destroy: () => this.cut() } };

  private cut(): void {
    this.isCut = true;
  }
}
// The code under test uses only the connection of a response.
const asResponse = (answer: Answer) => answer as unknown as ServerResponse;

describe('answers that clients do not read', () => {
  it('D69: never hold more bytes than the limit, one answer apart, however they come and go', () => {
    const step = tuple(constantFrom('add', 'read'), integer({ min: 0, max: 700 }));
    assert(
      property(array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const unread = new UnreadAnswers(MAX_BYTES);
        const held = new Map<Answer, number>();
        for (const [what, size] of steps) {
          if (what === 'read') {
            const [answer] = [...held.keys()].slice(size % Math.max(1, held.size));
            if (answer !== undefined) {
              unread.remove(asResponse(answer));
              held.delete(answer);
            }
            continue;
          }
          const answer = new Answer();
          held.set(answer, size);
          unread.add(asResponse(answer), size);
          for (const each of held.keys()) if (each.isCut) held.delete(each);
          expect(answer.isCut).toBe(false);
          const others = [...held.values()].reduce((sum, bytes) => sum + bytes, 0) - size;
          if (others > 0) expect(others + size).toBeLessThanOrEqual(MAX_BYTES);
        }
      }),
    );
  });

  it('count in bytes, of which a character may take several', () => {
    expect(bytesOf('{"a":"美"}')).toBe(11);
    expect(bytesOf(Buffer.alloc(7))).toBe(7);
    expect(bytesOf(undefined)).toBe(0);
  });
});
