import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { partsOf, withOther } from '../../src/web/features/compare/hunks.ts';
import { formatOther, parseOther } from '../../src/web/features/compare/other.ts';
import { createLink, createRequestOf } from '../../src/web/workspace/create-link.ts';
import { Problem } from '../../src/contract/problem.ts';
import { sentAnew } from '../../src/web/features/edit/sent-anew.ts';
import { unsure } from '../../src/web/features/edit/unsure.ts';
import { afterSave, baseOf, changesOf, meanwhileOf, merged } from '../../src/web/features/edit/base.ts';

const object = (replicas: number, image = 'a:1') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', resourceVersion: String(replicas), uid: 'u', generation: 1 },
  spec: { replicas, template: { spec: { containers: [{ name: 'a', image, args: ['x\r\ny'] }] } } },
  status: { readyReplicas: replicas },
});
const base = baseOf('1', object(1));

describe('sending what was written', () => {
  const problem = (source: 'network' | 'cluster') =>
    new Problem({ status: source === 'network' ? 0 : 409, title: 'It failed.', where: { source } });
  test('says that the outcome is unknown and the text kept, if no answer came', () => {
    expect(unsure(problem('network'))).toMatchObject({
      title:
        'It failed. Your text is kept. It is unknown whether the cluster made the change: check before you send it again.',
      where: { source: 'network' },
    });
  });
  test('says what was answered where there was an answer', () => {
    for (const failure of [problem('cluster'), new Error('odd')]) expect(unsure(failure)).toBe(failure);
  });
});

describe('an object whose status changes all the time', () => {
  const conflict = new Problem({ status: 409, title: 'It was changed meanwhile.' });
  const version = (resourceVersion: string, text = 'a: 1') => ({ resourceVersion, text });
  /** A cluster that is always so many versions ahead. */
  const sending = (ahead: number, newest = version, failure: unknown = conflict) => {
    const sent: string[] = [];
    let present = ahead;
    const done = sentAnew(
      async ({ resourceVersion }) => {
        sent.push(resourceVersion);
        if (sent.length <= ahead) throw failure;
        return 'done';
      },
      {
        base: version('0'),
        isSame: (one, other) => one.text === other.text,
        readNow: async () => newest(String((present += 1))),
        maxTries: 3,
      },
    );
    return { sent, done };
  };

  test('is saved once its version holds still, without asking anybody', async () => {
    const { sent, done } = sending(2);
    expect(await done).toBe('done');
    expect(sent).toEqual(['0', '3', '4']);
  });

  test('is not saved over what people wrote', async () => {
    const { sent, done } = sending(1, (resourceVersion) => version(resourceVersion, 'a: 2'));
    await expect(done).rejects.toBe(conflict);
    expect(sent).toEqual(['0']);
  });

  test('is not sent again where its version was not the reason', async () => {
    const { sent, done } = sending(1, () => version('0'));
    await expect(done).rejects.toBe(conflict);
    expect(sent).toEqual(['0']);
  });

  test('is given up after some tries, and at once for any other failure', async () => {
    await expect(sending(9).done).rejects.toBe(conflict);
    const other = new Problem({ status: 422, title: 'No.' });
    const { sent, done } = sending(1, version, other);
    await expect(done).rejects.toBe(other);
    expect(sent).toEqual(['0']);
  });
});

describe('an edit', () => {
  test('begins without what the server alone writes', () => {
    expect(Object.keys(parse(base.text) as object)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect((parse(base.text) as { metadata: object }).metadata).toEqual({ name: 'web', namespace: 'shop' });
  });

  test('sends what differs between its base and the text, as both are read', () => {
    expect(changesOf(base, parse(base.text))).toEqual([]);
    expect(changesOf(base, parse(base.text.replace('replicas: 1', 'replicas: 2')))).toEqual([
      { op: 'replace', path: ['spec', 'replicas'], value: 2 },
    ]);
  });

  test.each([
    ['name: web', 'name: other', 'metadata.name'],
    ['namespace: shop', 'namespace: other', 'metadata.namespace'],
    ['kind: Deployment', 'kind: Pod', 'kind'],
    ['apiVersion: apps/v1', 'apiVersion: v1', 'apiVersion'],
  ])('refuses another object: %s becomes %s', (from, to, said) => {
    expect(() => changesOf(base, parse(base.text.replace(from, to)))).toThrow(`${said} cannot be edited`);
  });

  test('shows what others changed and what both changed, and merges them without losing mine', () => {
    const now = baseOf('2', object(5, 'b:2'));
    const written = `# for the sale\n${base.text.replace('replicas: 1', 'replicas: 3 # three')}`;
    const mine = parse(written);
    const { theirs, both } = meanwhileOf(base, now, mine);
    expect(theirs.map(({ path }) => path.join('.'))).toEqual([
      'spec.replicas',
      'spec.template.spec.containers.0.image',
    ]);
    expect(both).toEqual(['spec.replicas']);
    const text = merged(base, now, written, mine);
    expect(text).toContain('# for the sale');
    expect(text).toContain('replicas: 3 # three');
    expect(text).toContain('image: b:2');
    expect(changesOf(now, parse(text))).toEqual([{ op: 'replace', path: ['spec', 'replicas'], value: 3 }]);
  });

  test('is over after a save if nothing was typed since, or all of it was taken back', () => {
    const sent = base.text.replace('replicas: 1', 'replicas: 2');
    const saved = baseOf('2', object(2));
    for (const text of [sent, base.text])
      expect(afterSave(base, sent, saved, text)).toEqual({ base: saved, text: saved.text });
  });

  test('goes on after a save with what was typed since, on what was saved', () => {
    const sent = base.text.replace('replicas: 1', 'replicas: 2');
    const saved = baseOf('2', {
      ...object(2),
      metadata: { ...object(2).metadata, labels: { set: 'by-cluster' } },
    });
    const next = afterSave(base, sent, saved, sent.replace('image: a:1', 'image: a:2'));
    expect(next.base).toBe(saved);
    expect(changesOf(saved, parse(next.text))).toEqual([
      { op: 'replace', path: ['spec', 'template', 'spec', 'containers', 0, 'image'], value: 'a:2' },
    ]);
    expect(next.text).toContain('set: by-cluster');
  });

  test('keeps a text that was typed since and cannot be read, to the letter', () => {
    const sent = base.text.replace('replicas: 1', 'replicas: 2');
    const text = `${sent}\n  half: [a`;
    expect(afterSave(base, sent, baseOf('2', object(2)), text)).toEqual({ base, text });
  });

  test('is the same to begin from when only its status and version changed', () => {
    expect(baseOf('9', { ...object(1), status: { readyReplicas: 0 } }).text).toBe(base.text);
  });
});

describe('a comparison', () => {
  const left = 'a: 1\nb: 2\nc: 3\n';
  const right = 'a: 1\nb: 9\nx: 0\nc: 3\n';

  test('shows equal and different stretches with their lines', () => {
    expect(partsOf(left, right)).toMatchObject([
      { isSame: true, left: ['a: 1'] },
      { isSame: false, left: ['b: 2'], right: ['b: 9', 'x: 0'], leftAt: 2, rightAt: 2 },
      { isSame: true, left: ['c: 3'], leftAt: 3, rightAt: 4 },
    ]);
  });

  test('copies one side’s lines into the other’s text', () => {
    const hunk = partsOf(left, right).find(({ isSame }) => !isSame);
    if (hunk === undefined) throw new Error('There is no difference.');
    expect(withOther(left, hunk, 'left')).toBe(right);
    expect(withOther(right, hunk, 'right')).toBe(left);
  });

  const self = { cluster: '1', kind: 'pod', namespace: 'shop', name: 'web' };
  test('keeps its other side in the address', () => {
    const other = { ...self, cluster: '2', name: 'a/b' };
    expect(parseOther(formatOther(other), self)).toEqual(other);
    for (const odd of [undefined, '', 'x/y/z', '1/shop', '1//web', '1/shop/web/more', '%'])
      expect(parseOther(odd, self)).toBeUndefined();
  });
});

describe('a link that creates', () => {
  test('carries cluster, kind and template', () => {
    const link = new URL(createLink('https://console.example.org', '3', 'Deployment', 'with-probes'));
    expect(createRequestOf(link)).toEqual({ clusterId: '3', resource: 'Deployment', variant: 'with-probes' });
    expect(createRequestOf(new URL('https://x.example/clusters/3/pods?create='))).toEqual({ clusterId: '3' });
    expect(createRequestOf(new URL('https://x.example/clusters/3/pods'))).toBeUndefined();
  });
});
