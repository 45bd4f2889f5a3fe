import { appendFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChangeGuard, changeGuards } from '../../src/contract/preferences.ts';
import type { AuditEntry, auditPageSchema } from '../../src/contract/audit.ts';
import type { z } from 'zod';
import { chance, isFull, seed } from '../prove.ts';
import { fillOrganisation } from '../shots/organisation.ts';
import type { TestClient } from '../server/http-client.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { differences, readState } from './typed-words/objects.ts';
import { pagesOf, type WordPage } from './typed-words/pages.ts';
import { drawnWords, isInShare, readShare, wordsOf, wordsOfVisit } from './typed-words/plan.ts';
import { Typist } from './typed-words/typist.ts';
import { drawWords, shortWords } from './typed-words/words.ts';

// The gate types five words on each page, in one of the modes. `npm run prove` types 36 on each in both: from each place of
// focus that the page has with each ending, at once and as a person types, and over all pages each of 200 words with each
// ending from each place (`plan.ts`). Each word on each page from each place would be some 900,000. It takes an hour or two,
// so WORD_SHARE=1/4 types on a quarter of the pages; WORD_PAGES, a pattern of their ids, on some. A share that ends before
// its last word fails.

const app = sharedApp({
  ...ownClusters,
  WHEELHOUSE_OIDC_CORP_ISSUER: 'https://id.example.org',
  WHEELHOUSE_OIDC_CORP_CLIENT_ID: 'wheelhouse',
  WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: 'of the words',
  WHEELHOUSE_OIDC_CORP_GROUPS_CLAIM: 'groups',
});

let cluster: SecondCluster;
let pages: readonly WordPage[];
let words: readonly string[];
test.beforeAll(async () => {
  // Nothing happens in it but what somebody does: its clock stands, and its company neither releases nor fails.
  cluster = await startSecondCluster('--still', new Date().toISOString(), '--chance', String(seed));
  const { id } = await app().client.call('addCluster', {
    body: { name: 'playground', description: '', kubeConfigContent: cluster.kubeconfig },
  });
  const { team, member } = await fillOrganisation(app());
  const teamId = team.split('/').at(-1) ?? '';
  await app().client.call('invite', { body: { email: 'ines@example.org', orgRole: 2 } });
  const state = await readState(cluster);
  const only = new RegExp(process.env['WORD_PAGES'] ?? '');
  pages = pagesOf(state, { clusterId: String(id), teamId, userId: member.split('/').at(-1) ?? '' }).filter(
    (one) => only.test(one.id),
  );
  const names = ['namespaces.', 'deployments.apps', 'statefulsets.apps', 'pods.', 'nodes.'].flatMap(
    (resource) => (state.get(resource) ?? []).map(({ metadata }) => metadata.name),
  );
  const drawn = drawWords(drawnWords, chance(), [...new Set(names)]);
  words = isFull ? drawn : shortWords(drawn);
});
test.afterAll(() => cluster.stop());

type AuditPage = z.infer<typeof auditPageSchema>;

/** The rows of changes that were begun from a time on, the oldest first: no dry runs, and not what the test itself does. */
async function changesSince(client: TestClient, from: Date): Promise<AuditEntry[]> {
  const rows: AuditEntry[] = [];
  let after: string | null = null;
  do {
    const query: Readonly<Record<string, string>> = {
      from: from.toISOString(),
      ...(after === null ? {} : { after }),
    };
    const page: AuditPage = await client.call('audit', { query });
    rows.push(...page.entries);
    after = page.next;
  } while (after !== null);
  // A terminal that opens changes nothing: it takes no key of the text that opened it.
  const harmless = new Set(['savePreferences', 'pod.shell', 'pod.attach']);
  return rows
    .filter(({ action, subject }) => !harmless.has(action) && subject['dryRun'] !== true)
    .toReversed();
}

const share = readShare(process.env['WORD_SHARE']);

/** Visits of pages in one of the modes, with their numbers: the gate visits each page in one mode, `npm run prove` in both. */
const visitsIn = (pass: number): readonly { readonly place: WordPage; readonly visit: number }[] =>
  pages
    .map((place, index) => ({ place, index, visit: isFull ? index * changeGuards.length + pass : index }))
    .filter(({ index }) => isInShare(share, index))
    .filter(({ index }) => isFull || (index + seed) % changeGuards.length === pass);
/**
 * Visits that are made in one page of the browser. A page in which words were typed for half an hour, and what records its
 * requests, take three times as long for each.
 */
const visitsOfPage = 4;
/** For how long after it was asked for a held change may begin, in ms. */
const held = 8_000;

/** A word that was typed. */
interface Attempt {
  /** When it began, in ms since 1970. */
  readonly at: number;
  readonly text: string;
}

/** The words that may have begun a change: the last one before it, or several where it was held. */
function wordsBefore(attempts: readonly Attempt[], time: number, mode: ChangeGuard): string {
  const last = attempts.findLastIndex(({ at }) => at <= time);
  const first = attempts.findIndex(({ at }) => at >= time - held);
  const from = mode === 'hold' && first >= 0 ? Math.min(first, last) : last;
  return attempts
    .slice(Math.max(from, 0), last + 1)
    .map(({ text }) => text)
    .join(' OR ');
}

for (const [pass, mode] of changeGuards.entries()) {
  test(`a word that is typed by accident changes nothing (${mode})`, async ({
    page,
    context,
    allow,
  }, info) => {
    test.setTimeout(isFull ? 6 * 3_600_000 : 900_000);
    allow(/status of 4\d\d/, /failed with 4\d\d/);
    const { client, url } = app();
    await app().enter(context);
    await client.call('savePreferences', { body: { changes: mode } });
    let typist = await Typist.create(page);
    await page.goto(url);
    const before = await readState(cluster);
    const began = new Date();
    const attempts: Attempt[] = [];
    const visits = visitsIn(pass);
    const next = chance(seed + pass);
    let broken: Error | undefined;
    try {
      for (const [index, { place, visit }] of visits.entries()) {
        if (index > 0 && index % visitsOfPage === 0) typist = await typist.anew(url);
        for (const { word, ending, focus, rhythm } of wordsOf(visit, words, isFull)) {
          await typist.return(`${url}${place.path}`, place.hasRows);
          const from = await typist.focusFrom(focus, next());
          const at = Date.now();
          const where = await typist.type(word, ending, rhythm);
          const text = `${place.id} | ${from} | ${mode} | "${word}" ${ending} (${rhythm}) | at ${where}`;
          attempts.push({ at, text });
          // Also a run that is ended from outside leaves what it has typed.
          await appendFile(info.outputPath('words.log'), `${new Date(at).toISOString()} ${text}\n`);
          if (mode === 'hold') while (await typist.isHolding()) await wait(100);
        }
      }
    } catch (error) {
      // A page whose object is gone does not become ready: what was done to it says more.
      broken = error instanceof Error ? error : new Error(String(error));
    }
    const rows = await changesSince(client, began);
    const after = await readState(cluster);
    const damage = rows.map(
      ({ startedAt, action, subject, status }) =>
        `${wordsBefore(attempts, Date.parse(startedAt), mode)} | ${action} ${JSON.stringify(subject)} ${status}`,
    );
    const planned = visits.length * (isFull ? wordsOfVisit.inFull : wordsOfVisit.inGate);
    const found = [...damage, ...differences(before, after)];
    const part = `seed ${seed}, share ${share.part}/${share.of}, ${mode}, ${visits.length} pages`;
    const summary = `${part}: ${attempts.length} of ${planned} words typed, ${found.length} found`;
    if (isFull) process.stdout.write(`${summary}\n`);
    expect(found, summary).toEqual([]);
    if (broken !== undefined) throw broken;
    expect(attempts.length, summary).toBe(planned);
  });
}
