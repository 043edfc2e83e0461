import { describe, expect, it } from '@jest/globals';
import { inUtc, localInput, timeOfInput } from './local-input.js';

describe('The input of a time', () => {
  it('shows the minute of the time in the address, and gives it back', () => {
    const at = `${new Date(2026, 10, 6, 9, 5).getTime()}`;
    expect(localInput(at)).toBe('2026-11-06T09:05');
    expect(timeOfInput(localInput(at))).toBe(at);
  });

  it('says the time in UTC', () => {
    expect(inUtc(`${Date.UTC(2026, 10, 6, 9, 5, 59)}`)).toBe('2026-11-06 09:05 UTC');
  });

  it('is empty for what is no time', () => {
    expect(localInput(undefined)).toBe('');
    expect(localInput('')).toBe('');
    expect(localInput('soon')).toBe('');
    expect(timeOfInput('')).toBeUndefined();
    expect(inUtc('soon')).toBeUndefined();
  });
});
