import {
  type Assignment,
  type Command,
  parse as parseScript,
  type Redirect as ParsedRedirect,
  type Statement,
  type Word,
  type WordPart,
} from 'unbash';

/** A word of a command. After the command's name, `A=b` is also a word. */
export type Argument = Word | Assignment;

/** A node of the shell's syntax tree. */
export type Node =
  | {
      readonly kind: 'command';
      readonly assignments: readonly Assignment[];
      readonly words: readonly Argument[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'group'; readonly body: Node }
  | { readonly kind: 'list'; readonly left: Node; readonly op: ';' | '&&' | '||'; readonly right: Node };

/** A redirection. `from`: 1 or 2; `to`: a file name, "&1" or "&2". */
export interface Redirect {
  readonly from: 1 | 2;
  readonly to: string;
}

/** A syntax error or an unsupported construct; the message is what the shell prints. */
export class SyntaxProblem extends Error {}

const notOffered = (construct: string) => new SyntaxProblem(`${construct} by the shell of the playground`);

/** Parses a script; undefined when it is empty. Throws SyntaxProblem. */
export function parse(script: string): Node | undefined {
  const { commands, errors = [] } = parseScript(script);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxProblem(`syntax error: ${error.message}`);
  return sequence(commands);
}

/** A list of statements, run one after the other. */
function sequence(statements: readonly Statement[]): Node | undefined {
  return statements
    .map(({ command, background }): Node => {
      if (background === true) throw new SyntaxProblem('nothing can run in the background of the playground');
      return nodeOf(command);
    })
    .reduce<Node | undefined>(
      (left, right) => (left === undefined ? right : { kind: 'list', left, op: ';', right }),
      undefined,
    );
}

function nodeOf(command: Statement['command']): Node {
  switch (command.type) {
    case 'Command':
      return simple(command);
    case 'AndOr': {
      const [first, ...rest] = command.commands.map(nodeOf);
      if (first === undefined) throw new SyntaxProblem('syntax error: a command is missing');
      return rest.reduce<Node>(
        (left, right, at) => ({ kind: 'list', left, op: command.operators[at] ?? ';', right }),
        first,
      );
    }
    case 'Subshell': {
      const body = sequence(command.body.commands);
      if (body === undefined) throw new SyntaxProblem('syntax error: unexpected ")"');
      return { kind: 'group', body };
    }
    case 'Pipeline':
      throw notOffered(
        command.commands.length > 1 ? 'pipes are not offered' : '"!" and "time" are not offered',
      );
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'BraceGroup':
    case 'Case':
    case 'Coproc':
    case 'For':
    case 'Function':
    case 'If':
    case 'Redirected':
    case 'Select':
    case 'TestCommand':
    case 'While':
      throw notOffered('loops, conditions and functions are not offered');
    default:
      return command satisfies never;
  }
}

function simple({ name, prefix, suffix }: Command): Node {
  const all = [...prefix, ...suffix];
  const redirects = all.flatMap((part) => {
    if (part.type === 'HereDoc' || part.type === 'HereString')
      throw notOffered('texts as input are not offered');
    return part.type === 'Redirect' ? [redirectOf(part)] : [];
  });
  return {
    kind: 'command',
    assignments: prefix.filter((part) => part.type === 'Assignment'),
    words: [
      ...(name === undefined ? [] : [name]),
      ...suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment'),
    ],
    redirects,
  };
}

function redirectOf({ operator, descriptor, target }: ParsedRedirect): Redirect {
  const from =
    descriptor === undefined ? 1 : descriptor.type === 'FileDescriptor' ? descriptor.value : undefined;
  if ((from !== 1 && from !== 2) || target === undefined)
    throw notOffered(`"${operator}" is not offered here`);
  if (operator === '>' || operator === '>>') return { from, to: target.value };
  if (operator === '>&') return { from, to: `&${target.value}` };
  throw notOffered(`"${operator}" is not offered`);
}

type Values = (name: string) => string | undefined;

/** Expands a word: removes quotes and substitutes variables. */
export function expand(word: Argument, values: Values): string {
  if (word.type === 'Assignment') {
    const { name, value, text } = word;
    return value.type === 'Word' ? `${name}=${expand(value, values)}` : text;
  }
  const { value, parts } = word;
  return parts === undefined ? value : parts.map((part) => textOf(part, values)).join('');
}

function textOf(part: WordPart, values: Values): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((inner) => textOf(inner, values)).join('');
    case 'SimpleExpansion':
      return values(part.text.slice(1)) ?? '';
    case 'ParameterExpansion': {
      const { parameter, operation, prefix, text } = part;
      if (prefix === undefined && operation === undefined) return values(parameter) ?? '';
      if (prefix === undefined && operation?.type === 'Default' && /^:?-$/.test(operation.operator))
        return values(parameter) ?? expand(operation.operand, values);
      throw new SyntaxProblem(`${text}: bad substitution`);
    }
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text;
    case 'ArithmeticExpansion':
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      throw notOffered(`${part.text} is not offered`);
    default:
      return part satisfies never;
  }
}
