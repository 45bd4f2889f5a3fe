import { describe, expect, test } from 'vitest';
import { expand, type Node, parse, SyntaxProblem } from '../../src/playground/exec/parse.ts';

const variables: Readonly<Record<string, string>> = { HOME: '/root', A: 'x y', EMPTY: '' };

/** A script as it runs: words with their variables filled in, groups in brackets. */
function shown(node: Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'group') return [shown(node.body)];
  if (node.kind === 'list') return { [node.op]: [shown(node.left), shown(node.right)] };
  const texts = [...node.assignments, ...node.words].map((word) => expand(word, (name) => variables[name]));
  return [...texts, ...node.redirects.map(({ from, to }) => `${from}>${to}`)].join('|');
}

describe('a line of the playground’s shell', () => {
  test.each([
    ['ls -la /tmp # all', 'ls|-la|/tmp'],
    [`echo "a $HOME b" 'x $HOME'$A`, 'echo|a /root b|x $HOMEx y'],
    ['echo a\\ b "q\\"z" \\$HOME a#b', 'echo|a b|q"z|$HOME|a#b'],
    ['echo ${A} ${NO:-d e} ${NO-f}', 'echo|x y|d e|f'],
    ['FOO=1 BAR="x y" env', 'FOO=1|BAR=x y|env'],
    ['export A=b C="d $HOME"', 'export|A=b|C=d /root'],
    ['echo *.txt ~ {a,b}', 'echo|*.txt|~|{a,b}'],
    ['cat x > /dev/null 2>&1', 'cat|x|1>/dev/null|2>&1'],
    ['(cd /tmp\nls)', [{ ';': ['cd|/tmp', 'ls'] }]],
    ['a; b && c || d', { ';': ['a', { '||': [{ '&&': ['b', 'c'] }, 'd'] }] }],
    ['# nothing', undefined],
  ] as const)('%s', (line, expected) => expect(shown(parse(line))).toEqual(expected));

  test.each([
    ["echo 'x", /^syntax error: unterminated single quote$/],
    ['a &&', /^syntax error: expected command after/],
    ['(a', /^syntax error: /],
    ['a | b', /^pipes are not offered by the shell of the playground$/],
    ['a &', /^nothing can run in the background of the playground$/],
    ['cat < x', /^"<" is not offered/],
    ['while true; do a; done', /^loops, conditions and functions are not offered/],
    ['echo $(ls)', /^\$\(ls\) is not offered/],
    ['echo ${A%x}', /^\$\{A%x\}: bad substitution$/],
  ] as const)('%s is refused with its error', (line, message) => {
    expect(() => shown(parse(line))).toThrow(SyntaxProblem);
    expect(() => shown(parse(line))).toThrow(message);
  });
});
