import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { NamedOwner } from '../../../src/kube/writers/writer.ts';
import { writersOf } from '../../../src/kube/writers/writers.ts';
import { aroundOf } from './around.ts';

const objectSchema = z.custom<KubeObject>((value) => typeof value === 'object' && value !== null);
const schema = z.array(
  z.object({
    name: z.string(),
    source: z.string(),
    object: objectSchema,
    others: z.array(objectSchema),
    expected: z.object({
      writers: z.array(z.object({ tool: z.string(), by: z.nullable(z.string()), soon: z.string() })),
    }),
  }),
);
const cases = schema.parse(
  JSON.parse(readFileSync(new URL('second-hand.json', import.meta.url), 'utf8')) as unknown,
);

const nameText = ({ kind, namespace, name }: NamedOwner): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** The families as this hand calls them: an autoscaler of requests is one of its own. */
const family = (tool: string): string => (tool === 'vpa' ? 'autoscaler' : tool);

/** How soon, as this hand calls it, and the times that mean the same. */
const times: Readonly<Record<string, readonly string[]>> = {
  'at-once': ['at-once', 'any-time'],
  'next-sync': ['interval', 'next-sync', 'by-hand', 'any-time'],
  'next-upgrade': ['by-hand', 'next-sync'],
  scaling: ['at-once', 'paused'],
  unknown: ['unknown', 'paused', 'anew', 'any-time'],
};

// Objects of the controllers' own test data and documentation, by a hand that has not read the function.
describe('who writes an object next, as a second hand says', () => {
  for (const { name, object, others, expected } of cases)
    test(name, () => {
      // That a tool leaves an object alone is said as well, and is no writer.
      const found = writersOf(object, aroundOf(others)).filter(({ when }) => when !== 'never');
      expect(
        found.map(({ tool, by }) => `${tool} ${by === undefined ? 'nothing' : nameText(by)}`).sort(),
      ).toEqual(expected.writers.map(({ tool, by }) => `${family(tool)} ${by ?? 'nothing'}`).sort());
      for (const wanted of expected.writers) {
        const one = found.find(({ by }) => (by === undefined ? null : nameText(by)) === wanted.by);
        expect(times[wanted.soon], wanted.soon).toContain(one?.when);
      }
    });
});
