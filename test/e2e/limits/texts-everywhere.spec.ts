import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { Creator } from '#client';
import { type CreatorId, ERASED } from '#kernel';
import { hostileText, normalHostileText } from '../../support/hostile-texts.js';
import { erase, exported, printedExport } from '../../support/operator-actions.js';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { readCsv } from '../support/csv.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

jest.setTimeout(60_000);

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' } });

interface Texts {
  readonly nativeName: string;
  readonly nativeAliases: readonly string[];
  readonly name: string;
  readonly aliases: readonly string[];
  readonly newName: string;
  readonly newAliases: readonly string[];
  readonly externalId: string;
  readonly leaks: readonly { readonly url: string; readonly status: string }[];
  readonly clones: readonly { readonly url: string; readonly platform: string; readonly username: string }[];
}

const aliases = fc.array(normalHostileText, { maxLength: 20, size: 'max' });
const texts: fc.Arbitrary<Texts> = fc.record({
  nativeName: hostileText,
  nativeAliases: aliases,
  name: hostileText,
  aliases,
  newName: hostileText,
  newAliases: aliases,
  externalId: normalHostileText,
  leaks: fc.array(fc.record({ url: hostileText, status: hostileText }), { minLength: 30, maxLength: 40 }),
  clones: fc.array(fc.record({ url: hostileText, platform: hostileText, username: hostileText }), {
    maxLength: 20,
    size: 'max',
  }),
});

/** A text in every place, in characters: what a leaker can choose, and what agencies and creators can. */
const everywhere = (text: string): Texts => ({
  nativeName: text,
  nativeAliases: [text],
  name: `${text} 1`,
  aliases: [`${text} 1`],
  newName: `${text} 2`,
  newAliases: [`${text} 2`],
  externalId: text,
  leaks: [{ url: text, status: text }],
  clones: [{ url: text, platform: text, username: text }],
});

const byUrl = <Item extends { readonly url: string }>(items: readonly Item[]) => items.map(({ url }) => url).toSorted();

/** An automatic external id belongs to its user (D25), and every other one is unlike those before it. */
const externalIdOf = (text: string) => `${text.replace(/^svc:/, 'svc-')}${randomUUID()}`;

/** Texts through enrollment, change, activation and a scan; the creator, and all its aliases in order. */
const enrolled = async (agency: Agency, given: Texts) => {
  const { api } = agency;
  const userId = await agency.user({ display_name: given.nativeName, aliases: given.nativeAliases });
  const external_id = externalIdOf(given.externalId);
  const body = agency.linkBody(userId, { external_id, display_name: given.name, aliases: given.aliases });
  const { id } = bodyOf<Creator>(await api.enroll(body));
  bodyOf(await api.patch(id, { display_name: given.newName, aliases: given.newAliases }));
  bodyOf(await api.protect(id, 'active'));
  expect((await api.enroll(body)).status).toBe(200);
  const job = (await agency.scanThatIs('completed', (await agency.scan(id)).id)).svc_job_id;
  for (const leak of given.leaks) await agency.leaks(userId, 1, { ...leak, job_id: job });
  for (const clone of given.clones) await agency.impersonations(userId, 1, clone);
  const distinct = [...new Set([...given.nativeAliases, ...given.aliases, ...given.newAliases])];
  return { id: id as CreatorId, external_id, aliases: distinct };
};

const invited = async (agency: Agency, { name, newName, externalId }: Texts) => {
  const person = { display_name: name, first_name: newName, last_name: name };
  const answer = await agency.api.enroll(agency.inviteBody({ ...person, external_id: externalIdOf(externalId) }));
  expect(await service.platform.invitationOf(bodyOf<Creator>(answer).id)).toMatchObject({ display_name: name });
};

/** The findings in every form in which an agency gets them; as many as the leaks, and those that the scan made. */
const expectFindings = async (agency: Agency, id: CreatorId, given: Texts) => {
  const { api } = agency;
  const cases = await api.cases(id);
  const own = cases.filter(({ url }) => given.leaks.some((leak) => leak.url === url));
  expect(own.map(({ url, status }) => [url, status]).toSorted()).toEqual(
    given.leaks.map(({ url, status }) => [url, status]).toSorted(),
  );
  const report = await api.get(`/v1/creators/${id}/report`);
  bodyOf(report);
  const [, ...rows] = readCsv(report.text);
  expect(rows).toHaveLength(cases.length);
  for (const [at, { url, status }] of cases.entries()) {
    expect([url, `'${url}`]).toContain(rows[at]?.[1]);
    expect([status, `'${status}`]).toContain(rows[at]?.[3]);
  }
  await service.quiet();
  expect(byUrl(await api.impersonations(id))).toEqual(byUrl(given.clones));
  bodyOf(await api.get(`/v1/creators/${id}/activity?limit=100`));
  const [first] = own;
  expect((await api.requestDeindex(first?.id ?? '', randomUUID())).status).toBe(202);
  return cases;
};

test('D86: every accepted text is recorded, sent, shown, published, delivered, exported and erased as it came', async () => {
  const agency = await service.agency({ slots: 20 });
  const { api } = agency;
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);

  const check = async (given: Texts) => {
    receiver.forget();
    const { id, external_id, aliases } = await enrolled(agency, given);
    await invited(agency, given);
    const identity = { external_id, display_name: given.newName, aliases };
    expect(await api.creator(id)).toMatchObject(identity);
    expect((await api.roster()).find((one) => one.id === id)).toMatchObject(identity);
    const cases = await expectFindings(agency, id, given);

    const published = (await agency.publishedEvents()).filter(({ data }) => data.creator_id === id);
    const ofType = (type: string) => published.filter((event) => event.type === type);
    expect(ofType('creator.updated').at(-1)?.data.creator).toMatchObject(identity);
    expect(
      ofType('case.created')
        .map(({ data }) => data.case?.url)
        .toSorted(),
    ).toEqual(byUrl(cases));
    const clones = ofType('impersonation.created').flatMap(({ data }) => data.impersonation ?? []);
    expect(byUrl(clones)).toEqual(byUrl(given.clones));
    await service.quiet();
    const delivered = new Map(receiver.events.map((event) => [event.id, event]));
    for (const event of published) expect(delivered.get(event.id)).toEqual(event);

    const copy = JSON.parse(await printedExport(service.services, id));
    expect(copy.creator).toMatchObject({ externalId: external_id, identity: { displayName: given.newName, aliases } });
    const opened = copy.events.filter(({ type }: { type: string }) => type === 'case.opened.v1');
    expect(opened.map(({ data }: { data: { personal: { url: string } } }) => data.personal.url).toSorted()).toEqual(
      byUrl(cases),
    );

    await erase(service.services, id, 0);
    expect((await api.get(`/v1/creators/${id}`)).status).toBe(404);
    expect((await agency.publishedEvents()).filter(({ data }) => data.creator_id === id)).toEqual([]);
    expect((await exported(service.services, id)).creator.identity.displayName).toBe(ERASED);
  };

  const escaped = String.raw`\u001a[encrypted]`;
  const examples = [escaped, `https://leaks.example/${escaped}`, String.raw`"\\\u001a[erased]`].map(everywhere);
  await fc.assert(fc.asyncProperty(texts, check), { numRuns: 4, examples: examples.map((one) => [one]) });
});
