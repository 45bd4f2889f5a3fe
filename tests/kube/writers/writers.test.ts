import { describe, expect, test } from 'vitest';
import { writerSentence, type Writer } from '../../../src/kube/writers/writer.ts';
import { writersOf, writesAny } from '../../../src/kube/writers/writers.ts';
import { aroundOf } from './around.ts';
import { writerCases } from './cases.ts';

describe('who writes an object next', () => {
  for (const { name, object, around = [], unseen = [], says } of writerCases)
    test(name, () => {
      const found = writersOf(object, aroundOf(around, unseen));
      expect(found.map((one) => writerSentence(one, 'change'))).toEqual(says);
      for (const one of found) expect(one.evidence, one.label).not.toHaveLength(0);
    });
});

const first = (name: string): { readonly writer: Writer; readonly of: (typeof writerCases)[number] } => {
  const of = writerCases.find((one) => one.name === name);
  if (of === undefined) throw new Error(`There is no case ${name}.`);
  const [writer] = writersOf(of.object, aroundOf(of.around ?? [], of.unseen));
  if (writer === undefined) throw new Error(`${name} has no writer.`);
  return { writer, of };
};

describe('which fields a writer writes', () => {
  test('an autoscaler says nothing of a label', () => {
    const { writer, of } = first('an autoscaler');
    expect(writesAny(writer, of.object, [['metadata', 'labels', 'team']])).toBe(false);
    expect(writesAny(writer, of.object, [['spec', 'replicas']])).toBe(true);
  });

  test('an autoscaler of requests says nothing of an image', () => {
    const { writer, of } = first('an autoscaler of requests');
    const container = ['spec', 'template', 'spec', 'containers', 0];
    expect(writesAny(writer, of.object, [[...container, 'image']])).toBe(false);
    expect(writesAny(writer, of.object, [[...container, 'resources', 'requests', 'cpu']])).toBe(true);
  });

  test('the fields of a source are not known without the managed fields', () => {
    const { writer, of } = first('Argo CD with self-heal');
    expect(writesAny(writer, of.object, [['spec', 'replicas']])).toBeUndefined();
  });

  test('with them they are those of the tool’s own field manager', () => {
    const { writer, of } = first('an operator that is known by its field manager alone');
    const object = { ...of.object, data: { size: '1' } };
    expect(writesAny(writer, object, [['data', 'size']])).toBe(true);
    expect(writesAny(writer, object, [['metadata', 'labels', 'team']])).toBe(false);
  });

  test('a field whose differences Argo CD ignores is none of its fields', () => {
    const { writer, of } = first('Argo CD with self-heal');
    const ignoring = { ...writer, ignored: ['spec.replicas'] };
    expect(writesAny(ignoring, of.object, [['spec', 'replicas']])).toBe(false);
    expect(
      writesAny(ignoring, of.object, [
        ['spec', 'replicas'],
        ['spec', 'paused'],
      ]),
    ).toBeUndefined();
  });
});

test('the state of a sync and its evidence are those of an object that was seen', () => {
  const { writer } = first(
    'the label that Argo CD shares with charts, of an object that an application lists',
  );
  expect(writer).toMatchObject({ sight: 'seen', syncState: 'Synced' });
  const hidden = first('Argo CD whose application the person may not view').writer;
  expect(hidden).toMatchObject({ sight: 'unseen', when: 'unknown' });
  expect(hidden.syncState).toBeUndefined();
  expect(hidden.evidence).toEqual([
    {
      path: 'metadata.annotations[argocd.argoproj.io/tracking-id]',
      value: 'shop:apps/Deployment:shop/web',
    },
  ]);
});
