import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChangeGuard, changeGuards } from '../../src/contract/preferences.ts';
import type { AuditEntry, auditPageSchema } from '../../src/contract/audit.ts';
import type { z } from 'zod';
import { chance, isFull, rounds, seed } from '../prove.ts';
import { fillOrganisation } from '../shots/organisation.ts';
import type { TestClient } from '../server/http-client.ts';
import { expect, ownClusters, sharedApp, test } from './kit.ts';
import { type SecondCluster, startSecondCluster } from './product.ts';
import { differences, readState } from './typed-words/objects.ts';
import { pagesOf, type WordPage } from './typed-words/pages.ts';
import { endings, focusPlaces, rhythms, Typist } from './typed-words/typist.ts';
import { drawWords, shuffled } from './typed-words/words.ts';

// The two ways of confirming need nothing of each other, and each takes minutes.
test.describe.configure({ mode: 'parallel' });

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
  words = drawWords(200, chance(), [...new Set(names)]);
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

const perPage = rounds(5, 100);
/** The gate visits each page in one of the modes, `npm run prove` in both. */
const pagesIn = (pass: number): readonly WordPage[] =>
  pages.filter((_, index) => isFull || (index + seed) % changeGuards.length === pass);
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

const ways = focusPlaces.flatMap((focus) =>
  endings.flatMap((ending) => rhythms.map((rhythm) => ({ focus, ending, rhythm }))),
);

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
    const typist = await Typist.create(page);
    await page.goto(url);
    const before = await readState(cluster);
    const began = new Date();
    const attempts: Attempt[] = [];
    const next = chance(seed + pass);
    let turn = pass * 97;
    let broken: Error | undefined;
    try {
      for (const place of pagesIn(pass)) {
        const ofPage = shuffled(ways, next);
        for (let count = 0; count < perPage; count += 1) {
          const word = words[turn++ % words.length] ?? '';
          await typist.return(`${url}${place.path}`, place.hasRows);
          // The next way whose place of focus this page has.
          let way = ofPage.shift();
          while (way !== undefined && !(await typist.focus(way.focus, next()))) way = ofPage.shift();
          if (ofPage.length === 0) ofPage.push(...shuffled(ways, next));
          if (way === undefined) continue;
          const at = Date.now();
          const where = await typist.type(word, way.ending, way.rhythm);
          attempts.push({
            at,
            text: `${place.id} | ${way.focus} | ${mode} | "${word}" ${way.ending} (${way.rhythm}) | at ${where}`,
          });
          while (await typist.isHolding()) await wait(100);
        }
      }
    } catch (error) {
      // A page whose object is gone does not become ready: what was done to it says more.
      broken = error instanceof Error ? error : new Error(String(error));
    }
    await writeFile(
      info.outputPath('words.log'),
      attempts.map(({ at, text }) => `${new Date(at).toISOString()} ${text}\n`).join(''),
    );
    const rows = await changesSince(client, began);
    const after = await readState(cluster);
    const damage = rows.map(
      ({ startedAt, action, subject, status }) =>
        `${wordsBefore(attempts, Date.parse(startedAt), mode)} | ${action} ${JSON.stringify(subject)} ${status}`,
    );
    expect([...damage, ...differences(before, after)]).toEqual([]);
    if (broken !== undefined) throw broken;
  });
}
