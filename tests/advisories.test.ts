import { expect, test } from 'vitest';
import { sources, textOf } from './sources.ts';

/**
 * The advisories and threads about other consoles and sign-in libraries whose mistakes this one must not repeat, each
 * with what went wrong there. The title of a test bears the number of each.
 */
const advisories: Readonly<Record<string, string>> = {
  'CVE-2022-21703': 'Grafana: another site made an admin invite the attacker',
  'CVE-2022-31107': 'Grafana: an account was looked up by the email address of a provider',
  'CVE-2022-39306': 'Grafana: an invitation link let people sign up with any address',
  'GHSA-2x6g-h2hg-rq84': 'Grafana: the same under its other number',
  'CVE-2022-39307': 'Grafana: the reset form told which users exist',
  'CVE-2023-3128': 'Grafana: an account was looked up by an address that is not unique at the provider',
  'GHSA-fmh4-wcc4-5jm3':
    'better-auth: an account with an unproven address accepted the invitation of that address',
  'better-auth 9877': 'its fix locked out people who were really invited',
  'superlog 77': 'people who were really invited stayed out, so the check of the address was turned off',
  'superlog 519': 'with that check turned off, anybody had the invitations of an address that they claimed',
  'GHSA-5rr4-8452-hf4v': 'better-auth: the addresses of a provider were called whatever they were',
  'GHSA-pw9m-5jxm-xr6h': 'better-auth: a stolen refresh token made new tokens without an end',
  'GHSA-2vg6-77g8-24mp': 'better-auth: sessions outlived the deletion of their person',
  'GHSA-j8v8-g9cx-5qf4': 'better-auth: a provider was anybody’s',
  'blocks-os 352': 'an anonymous call confirmed an account and answered its key',
  'vibe-kanban 3430': 'any account that was signed in redeemed an invitation',
  'Headlamp 5401': 'the state of a sign-in lay in the memory of one server',
};

const tests = sources('tests/server').filter((file) => file.endsWith('.test.ts'));
const texts = tests.map(textOf);

/** Whether the title of a test or of a group of tests bears a number. */
const isTitle = (text: string, number: string): boolean =>
  text.split('\n').some((line) => {
    const from = line.search(/\b(?:it|describe)(?:\.each\(\[|\()/);
    return from >= 0 && line.includes(number, from);
  });

test.each(Object.entries(advisories))('%s (%s) has a test of its name', (number) => {
  expect(texts.some((text) => isTitle(text, number))).toBe(true);
});

test('no test bears the number of an advisory that the list does not explain', () => {
  const borne = texts.flatMap((text) => text.match(/CVE-\d{4}-\d+|GHSA(?:-\w{4}){3}/g) ?? []);
  expect([...new Set(borne)].filter((number) => !(number in advisories))).toEqual([]);
});
