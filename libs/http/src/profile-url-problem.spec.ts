import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseProfileUrl } from '#creators';
import { profileUrlProblem } from './profile-url-problem.js';

const ALIASES = 'add the username to aliases';

describe('a profile URL that is refused (D98)', () => {
  it.each([
    ['http://instagram.com/talia.moss', 'must begin with https://', 'https://instagram.com/talia.moss'],
    ['instagram.com/talia.moss', 'must begin with https://', 'https://instagram.com/talia.moss'],
    ['https://mia@x.com/mia', 'credentials', 'https://x.com/mia'],
    ['https://x.com:443/mia', 'port', 'https://x.com/mia'],
    ['https://instagram.com/talia.moss?igsh=1', 'query', 'https://instagram.com/talia.moss'],
    ['https://x.com/mia#top', 'fragment', 'https://x.com/mia'],
    ['https://x.com/mia/status/1', 'path', 'https://x.com/mia'],
    ['https://instagram.com/talia.moss.', 'end in a period', 'https://instagram.com/talia.moss'],
    ['https://x.com/m%69a', 'percent-encoded', 'https://x.com/mia'],
    ['https://twitter.com/mia', 'official host', 'https://x.com/mia'],
    ['https://m.instagram.com/mia', 'official host', 'https://instagram.com/mia'],
    ['https://tiktok.com/@mia', 'official host', 'https://www.tiktok.com/@mia'],
    ['https://instagram.com/@mia', 'ASCII letters', 'https://instagram.com/mia'],
    ['https://manyvids.com/profile/1/mia', 'official host', 'https://www.manyvids.com/Profile/1/mia'],
    ['https://www.mym.fans/fr/mia', 'official host', 'https://mym.fans/mia'],
    ['https://mym.com/de/mia', "not a profile's path", 'https://mym.fans/mia'],
    [' https://x.com/mia', 'invisible character', 'https://x.com/mia'],
    ['https://x.com/mia\u200b', 'invisible character', 'https://x.com/mia'],
  ])('%j: the reason, and the form that would be accepted', (url, reason, accepted) => {
    const problem = profileUrlProblem(url);
    expect(problem).toContain(reason);
    expect(problem).toContain(`${accepted} would be accepted`);
    expect(parseProfileUrl(accepted)).toBeDefined();
  });

  it.each([
    ['https://facebook.com/mia', 'host is not supported'],
    ['https://onlyfans.com.example.org/mia', 'host is not supported'],
    ['https://instagram.com/mía', 'ASCII letters'],
    ['https://x.com/hashtag', 'page of the platform'],
    ['https://instagram.com/stories/talia', 'path'],
    ['https://instagram.com/mia/../eve', 'path'],
    ['https://x.com/', 'path'],
    [`https://x.com/${'i'.repeat(101)}`, '100 characters'],
    ['https://instagram.com/mia..rose', 'two periods'],
    ['https://www.tiktok.com/mia', 'path'],
    ['mia', 'must begin with https://'],
    ['https://', 'host is not supported'],
  ])('%j: the reason, and the remedy otherwise', (url, reason) => {
    const problem = profileUrlProblem(url);
    expect(problem).toContain(reason);
    expect(problem).toContain(ALIASES);
  });

  it.each([
    ['\u3164', 'must not be blank'],
    ['https://x.com/mia\n', 'control characters'],
    ['https://x.com/\ud83d', 'half a character'],
    [`https://x.com/${'i'.repeat(2_048)}`, 'must be at most 2048 characters'],
  ])('%j is refused as any other text', (url, reason) => {
    expect(profileUrlProblem(url)).toContain(reason);
  });

  it('has a problem exactly where it is not accepted, and what would be accepted is', () => {
    const host = fc.constantFrom(
      'x.com',
      'www.x.com',
      'm.instagram.com',
      'twitter.com',
      'mym.fans',
      'www.tiktok.com',
      'mia',
    );
    const segment = fc.oneof(fc.constantFrom('mia', '@mia', 'Profile', '1', 'login', 'mia.', '%', '..'), fc.string());
    const built = fc
      .record({ host, segments: fc.array(segment, { maxLength: 4 }), end: fc.constantFrom('', '/', '?a=1', '#b') })
      .map((parts) => `https://${parts.host}/${parts.segments.join('/')}${parts.end}`);
    fc.assert(
      fc.property(fc.oneof(built, fc.string({ unit: 'binary' }), fc.webUrl()), (url) => {
        const problem = profileUrlProblem(url);
        expect(problem === undefined).toBe(parseProfileUrl(url) !== undefined);
        const [, accepted] = /; (https:\S+) would be accepted$/.exec(problem ?? '') ?? [];
        if (accepted !== undefined) expect(profileUrlProblem(accepted)).toBeUndefined();
      }),
    );
  });

  it('is found in no time that grows with the square of what a sentence adds', () => {
    const url = `https://instagram.com/${'.'.repeat(2_000)}a`;
    const began = process.threadCpuUsage();
    for (let left = 200; left > 0; left--) expect(profileUrlProblem(url)).toContain('at most 100 characters');
    const { user, system } = process.threadCpuUsage(began);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
