import { type ESTree, parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { sources, textOf } from './sources.ts';

/** A declaration at the top level of a module, exported or not. */
interface Declaration {
  readonly name: string;
  /** Functions may be called by a verb that is also a participle, such as `read`, and types describe objects. */
  readonly isValue: boolean;
}

/** The names that a pattern binds. */
function boundNames(pattern: ESTree.BindingPattern | ESTree.BindingRestElement): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left);
  if (pattern.type === 'RestElement') return boundNames(pattern.argument);
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((one) => (one === null ? [] : boundNames(one)));
  return pattern.properties.flatMap((one) =>
    boundNames(one.type === 'RestElement' ? one.argument : one.value),
  );
}

const isFunction = (node: ESTree.Expression | null): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

/** The declarations at the top level of a file whose content is `text`. */
function declarationsIn(file: string, text: string): Declaration[] {
  return parseSync(file, text).program.body.flatMap((statement): Declaration[] => {
    const node =
      statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement;
    if (node.type === 'VariableDeclaration')
      return node.declarations.flatMap(({ id, init }) =>
        boundNames(id).map((name) => ({ name, isValue: !isFunction(init) })),
      );
    if (node.type === 'ClassDeclaration' || node.type === 'FunctionDeclaration')
      return node.id === null ? [] : [{ name: node.id.name, isValue: node.type === 'ClassDeclaration' }];
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
      return [{ name: node.id.name, isValue: false }];
    return [];
  });
}

/** Words that name nothing, in any case and with a trailing s: neither a value, a function nor a type. */
const riddles = new Set(
  `acting again apart asked besides both elsewhen few fresh given gone hands held heard kept known later left longest
  losing met most named none plain rest said shown standing taken texts told tried way what whom wish words`.split(
    /\s+/,
  ),
);

/** Participles, adjectives, prepositions and pronouns: alone they do not say what a value is. */
const valueRiddles = new Set(
  `about absent added administered after against ahead all along always any around bad because before begun behind below
  beside beyond born brief busy chosen closed closing common copied counted crossing cut declared decoded deduced deepest
  demanded derived dim discovered each edited ended escaped evicted every everything everywhere except existing exited
  explicit extreme failed failing filled first fits found frozen full gated guarded here hidden highest impossible inner
  inside interrupted into invisible isolated issued joined largest last lasting late lately leased least listed loaded
  made managed mapped marked masked matching missed moved narrow near nobody nothing nowhere odd of omitted one only
  opposite or ordered other outside own owned padded parsed past paused per picked placed present pressed published
  queued quiet quoted recent refused registered remembered renamed reported requested resized reversed round rounded
  ruled same scaled scoped selected served settled shared short silent since single sized slow slowest small some soon
  spoken stale stamped strong swollen together twice two unasked unchecked unclean unplaced unreached unsayable unsent
  unwanted unwritten usual viewed wanted whole widest within without worse worst written wrong`.split(/\s+/),
);

/** Whether a declaration has a riddle for a name. */
function isRiddle({ name, isValue }: Declaration): boolean {
  const word = name.toLowerCase();
  return (
    [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((one) => riddles.has(one)) ||
    (isValue && valueRiddles.has(word))
  );
}

describe('the name of a module-level declaration says what it is', () => {
  const found = ['src', 'commands'].flatMap(sources).flatMap((file) =>
    declarationsIn(file, textOf(file))
      .filter(isRiddle)
      .map(({ name }) => `${file}: ${name}`),
  );

  test('no declaration is called by a word that names nothing', () => {
    expect(found).toEqual([]);
  });

  test.each([
    ['const longest = 5;', ['longest']],
    ['export const { most, rest: [named] } = limits;', ['most', 'named']],
    ['export function told() {}', ['told']],
    ['export interface Wishes { a: 1 }', ['Wishes']],
    ['type Words = string;', ['Words']],
    ['class Held {}', ['Held']],
    ['const failed = new Set();', ['failed']],
    ['const failed = () => true;', []],
    ['interface Failed { a: 1 }', []],
    ['function f() { const longest = 5; return longest; }', []],
    ['const maxLength = 5;', []],
  ])('%s', (text, expected) => {
    expect(
      declarationsIn('example.ts', text)
        .filter(isRiddle)
        .map(({ name }) => name),
    ).toEqual(expected);
  });
});

describe('a comment says what the code is, does or needs', () => {
  /** Openings and phrases that a reader can only understand with the code beside them. */
  const obscure =
    /^(?:What (?:is known|was said|is said|is told|stands|became|nobody|somebody|was seen)\b|So (?:long|many|much|often|soon) )|\b(?:for|after|by|at most|once in|to) so (?:long|many|much|few)\b|\bof whom\b|counts? for nothing/;

  /** The text of each comment that stands on lines of its own. */
  const commentsIn = (text: string): string[] =>
    [...text.matchAll(/^[ \t]*(?:\/\*\*?([^]*?)\*\/|((?:\/\/.*\n[ \t]*)+))/gm)].map(
      ([, block = '', lines = '']) =>
        (block + lines)
          .replaceAll(/^[ \t]*(?:\*|\/\/)?[ \t]?/gm, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
    );

  test.each([
    'src/contract',
    'src/kube',
    'src/playground',
    'src/registry',
    'src/server',
    'src/web',
    'commands',
  ])('%s', (folder) => {
    const found = sources(folder).flatMap((file) =>
      commentsIn(textOf(file))
        .filter((comment) => obscure.test(comment))
        .map((comment) => `${file}: ${comment}`),
    );
    expect(
      found,
      'Name the thing: "The state of …", "Inputs of …", "Maximum number of …", "Delay before …, ms"',
    ).toEqual([]);
  });

  test.each([
    ['/** What is known of it. */', true],
    ['// So long after a try that failed it is asked for again.', true],
    ['/** Lists are kept for so long, ms. */', true],
    ['/** Delay before a failed load is retried, ms. */', false],
    ['/** So that no row moves. */', false],
  ])('%s', (text, expected) => {
    expect(commentsIn(`${text}\n`).some((comment) => obscure.test(comment))).toBe(expected);
  });
});
