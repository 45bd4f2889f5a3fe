import { describe, expect, it } from 'vitest';
import { type ShareLimits, Shares } from '../../../src/server/kit/shares.ts';
import { clockAt } from '../clock-at.ts';

const limits: ShareLimits = {
  alone: 3,
  together: 2,
  recent: 100,
  waiting: { person: 4, company: 6, all: 8 },
};

/**
 * Runs a script over shares. `+a/p` asks for work of person p of company a, `+a/p!` for work that goes on, `-a/p` ends
 * some of theirs, `×a/p` takes a wish of theirs back, `~50` lets 50 ms pass.
 * @returns whose work began, in order
 */
function began(script: string): string {
  let now = 0;
  const shares = new Shares(
    limits,
    clockAt(() => now),
  );
  const order: string[] = [];
  const wishes = new Map<string, (() => void)[]>();
  for (const step of script.split(' ')) {
    const [sign = '', ...rest] = step;
    const text = rest.join('');
    const owner = { company: text.charAt(0), person: text.charAt(2) };
    const name = `${owner.company}/${owner.person}`;
    if (sign === '~') now += Number(text);
    else if (sign === '-') shares.end(owner);
    else if (sign === '×') wishes.get(name)?.pop()?.();
    else {
      const wish = shares.add(owner, () => order.push(text), text.endsWith('!'));
      wishes.set(name, [...(wishes.get(name) ?? []), wish]);
    }
    while (shares.next());
  }
  return order.join(' ');
}

describe('Shares', () => {
  it.each([
    ['a company alone has everything', '+a/p +a/p +a/p +a/p', 'a/p a/p a/p'],
    ['what ends lets the next begin', '+a/p +a/p +a/p +a/p -a/p', 'a/p a/p a/p a/p'],
    ['another company need not wait', '+a/p +a/p +a/p +a/p +b/q', 'a/p a/p a/p b/q'],
    ['a company above its share begins nothing', '+a/p +a/p +a/p +a/p +b/q -a/p -a/p', 'a/p a/p a/p b/q'],
    ['and goes on once it is below', '+a/p +a/p +a/p +a/p +b/q -a/p -a/p -a/p', 'a/p a/p a/p b/q a/p'],
    ['a company is reckoned with for a while', '+b/q -b/q ~99 +a/p +a/p', 'b/q a/p'],
    ['and not for longer', '+b/q -b/q ~100 +a/p +a/p', 'b/q a/p a/p'],
    ['each of many companies has one', '+a/p +b/p +c/p +d/p +a/p +b/p', 'a/p b/p c/p d/p'],
    [
      'who asks for much gives way to who asks for little',
      '+a/p +a/p +a/p +a/p +a/p +a/p +b/q -a/p -a/p -a/p',
      'a/p a/p a/p b/q',
    ],
    [
      'until a piece of theirs ends',
      '+a/p +a/p +a/p +a/p +a/p +a/p +a/p +a/p +b/q +b/q -a/p -a/p -a/p -b/q',
      'a/p a/p a/p b/q a/p b/q',
    ],
    [
      'who asks for as much gives no way',
      '+a/p +a/p +a/p +a/p +b/q +b/q -a/p -a/p -a/p',
      'a/p a/p a/p b/q a/p',
    ],
    ['people of a company take turns', '+a/p +a/p +a/p +a/p +a/p +a/q -a/p -a/p', 'a/p a/p a/p a/q a/p'],
    ['somebody with nothing under way is next', '+a/p +a/p +a/q +a/p +a/r -a/q', 'a/p a/p a/q a/r'],
    ['what goes on comes before what begins', '+a/p +a/p +a/p +a/p +a/p! -a/p', 'a/p a/p a/p a/p!'],
    ['what is taken back does not begin', '+a/p +a/p +a/p +a/q ×a/q +a/r -a/p', 'a/p a/p a/p a/r'],
    ['and keeps no place', '+a/p +a/p +a/p +a/q ×a/q +a/r +a/q -a/p', 'a/p a/p a/p a/r'],
  ])('%s', (_rule, script, expected) => {
    expect(began(script)).toBe(expected);
  });

  it.each([
    ['a person', 3 + 4, [], 'person'],
    ['a company', 3 + 4, ['a/q', 'a/q'], 'company'],
    ['everybody', 3 + 4, ['a/q', 'b/q', 'b/q', 'b/r', 'c/q', 'c/q'], 'all'],
  ] as const)('hold no more than may wait of %s', (_whose, first, others, crowd) => {
    const shares = new Shares(
      limits,
      clockAt(() => 0),
    );
    const add = (name: string) => {
      shares.add({ company: name.charAt(0), person: name.charAt(2) }, () => {});
      while (shares.next());
    };
    for (let count = 0; count < first; count += 1) add('a/p');
    for (const one of others) add(one);
    const asked =
      crowd === 'all'
        ? { company: 'd', person: 'p' }
        : { company: 'a', person: crowd === 'person' ? 'p' : 'r' };
    expect(shares.crowdOf(asked)).toBe(crowd);
    expect(shares.crowdOf({ company: 'e', person: 'p' })).toBe(crowd === 'all' ? 'all' : undefined);
  });
});
