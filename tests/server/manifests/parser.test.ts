import { afterEach, describe, expect, test } from 'vitest';
import {
  createManifestParser,
  type ManifestParser,
  textLimits,
} from '../../../src/server/manifests/parser.ts';

const parsers: ManifestParser[] = [];
afterEach(async () => {
  for (const parser of parsers.splice(0)) await parser.close();
});
function open(...limits: Parameters<typeof createManifestParser>): ManifestParser {
  const parser = createManifestParser(...limits);
  parsers.push(parser);
  return parser;
}

const by = (who: number, isDraft = false, signal = new AbortController().signal) => ({
  who,
  isDraft,
  signal,
});

/** A text that would be parsed for many seconds. */
const heavy = `a: [${'1,'.repeat(1_400_000)}1]`;
const small = 'apiVersion: v1\nkind: ConfigMap';
/** Limits by which `heavy` is not refused before it is parsed. */
const patient = { call: { ms: 60_000, tokens: 100_000_000 }, draft: { ms: 100, tokens: 100_000_000 } };
/** The limits of tokens alone: a busy machine takes longer than a person would be let wait. */
const unhurried = {
  call: { ...textLimits.call, ms: 60_000 },
  draft: { ...textLimits.draft, ms: 60_000 },
};

describe('the parser of texts', () => {
  test('counts the tokens of a text before it parses it, those of a draft by a lower limit', async () => {
    const parser = open(unhurried);
    await parser.parse(small, by(1));
    const begun = process.cpuUsage();
    await expect(parser.parse(heavy, by(1))).rejects.toMatchObject({
      status: 400,
      title:
        'This text has more than 1,000,000 tokens, more than this console parses. Split it, or use kubectl.',
    });
    // Parsing it takes tens of seconds; counting stops at the limit.
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000);
    const wide = '- 1\n'.repeat(textLimits.draft.tokens / 4);
    expect(await parser.parse(wide, by(1))).toMatchObject({ type: 'valid' });
    await expect(parser.parse(wide, by(1, true))).rejects.toMatchObject({
      status: 400,
      title: expect.stringContaining('more than 250,000 tokens'),
    });
  });

  test('takes a long manifest', async () => {
    const rule = `  - apiGroups: ["apps"]\n    resources: ["deployments", "replicasets"]\n    verbs: [get, list, watch]\n`;
    const text = `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nrules:\n${rule.repeat(3_000)}`;
    expect(text.length).toBeGreaterThan(300_000);
    expect(await open(unhurried).parse(text, by(1))).toMatchObject({ type: 'valid' });
  });

  test('gives up a heavy draft soon, and serves the callers that wait behind it', async () => {
    const parser = open(patient);
    const draft = parser.parse(heavy, by(1, true));
    const call = parser.parse(small, by(2));
    await expect(draft).rejects.toMatchObject({ status: 400, title: expect.stringContaining('to parse') });
    expect(await call).toMatchObject({ type: 'valid' });
  });

  test('drops a text that is being parsed when its caller leaves', async () => {
    const parser = open(patient);
    await parser.parse(small, by(1));
    const leaving = new AbortController();
    const left = parser.parse(heavy, by(1, false, leaving.signal));
    const next = parser.parse(small, by(2));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(await next).toMatchObject({ type: 'valid' });
  });
});
