import { describe, expect, test } from 'vitest';
import { sources, textOf } from '../sources.ts';

/** The attributes of each `ErrorAlert` of a file: braces within them are at most three deep. */
const alertsOf = (text: string): string[] =>
  [...text.matchAll(/<ErrorAlert((?:[^{}>]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)>/g)].map(
    ([, attributes]) => (attributes ?? '').replace(/\s+/g, ' '),
  );

describe('an alert about a failure', () => {
  test('is given what failed, never its sentence alone, so that it offers who can grant a missing right', () => {
    const all = sources('src/web')
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => alertsOf(textOf(file)).map((alert) => ({ file, alert })));
    expect(all.length).toBeGreaterThan(70);
    expect(
      all.filter(({ alert }) => /message=\{[^}]*(?:sentences?Of|\.error\b|failure\b)/.test(alert)),
    ).toEqual([]);
  });
});
