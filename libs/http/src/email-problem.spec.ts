import { describe, expect, it } from '@jest/globals';
import { emailProblem } from './email-problem.js';

describe('an email address (D97)', () => {
  it.each([
    'mia@example.com',
    'm+tag@mail.example.co.uk',
    "o'hara@example.fr",
    'mía@exämple.de',
    'a@b.co',
    '"mia rose"@talent.example',
    '"mia"@talent.example',
    `${'m'.repeat(64)}@talent.example`,
  ])('%s is one', (email) => {
    expect(emailProblem(email)).toBeUndefined();
  });

  it.each([
    ['<mia@talent.example>', 'angle brackets'],
    ['Mia Rose <mia@talent.example>', 'angle brackets'],
    ['mailto:mia@talent.example', 'mailto:'],
    ['(mia@talent.example)', 'parentheses'],
    ['mia(work)@talent.example', 'parentheses'],
    ['mia@talent.example,', 'comma'],
    ['mia@talent.example;', 'semicolon'],
    ['mia@talent.example,eve@talent.example', 'one address'],
    ['mia..rose@talent.example', 'two periods'],
    ['mia@talent.example.', 'the period at its end'],
    [' mia@talent.example', 'the blanks around it'],
    ['mia@talent.example ', 'the blanks around it'],
    ['mia@talent.example\u200b', 'invisible character'],
    ['mia\u00a0rose@talent.example', 'invisible character'],
    ['mi\u00ada@talent.example', 'invisible character'],
    [`${'m'.repeat(65)}@talent.example`, '64 characters'],
    ['\u201cmia@talent.example\u201d', 'quotation marks'],
    ['\u00abmia@talent.example\u00bb', 'quotation marks'],
    ['\uff1cmia@talent.example\uff1e', 'brackets'],
    ['mia@talent.example\u3001', 'commas'],
    ['mia@talent.example\u3002', 'commas'],
    ['\u200b', 'blank'],
    ['mia@talent.example\r\nBcc: eve@example.com', 'control characters'],
    [`mia@${'a'.repeat(250)}.com`, '254 characters'],
  ])('%j is none, and the message names what to leave out', (email, remedy) => {
    expect(emailProblem(email)).toContain(remedy);
  });

  it.each([
    ['mia', 'needs an @'],
    ['mia@', 'a domain with a period'],
    ['@example.com', 'not valid'],
    ['mia@example', 'a domain with a period'],
    ['mia@@example.com', 'more than one @'],
    ['mia rose@example.com', 'remove the blank'],
    ['.mia@example.com', 'must not begin or end with a period'],
    ['mia.@example.com', 'must not begin or end with a period'],
    ['mia@[127.0.0.1]', 'not an IP address'],
    ['mia@127.0.0.1', 'not an IP address'],
    ['mia@-example.com', 'not valid'],
  ])('%s is none, and the message says why (D98)', (email, reason) => {
    expect(emailProblem(email)).toMatch(`must be an email address such as mia@talent.example: `);
    expect(emailProblem(email)).toContain(reason);
  });
});
