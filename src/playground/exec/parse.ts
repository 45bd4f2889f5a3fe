/** What a line of the small shell asks for. */
export type Node =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'group'; readonly body: Node }
  | { readonly kind: 'list'; readonly left: Node; readonly op: ';' | '&&' | '||'; readonly right: Node };

/** Where a command's output goes: `from` 1 or 2, `to` a file's name or "&1", "&2". */
export interface Redirect {
  readonly from: 1 | 2;
  readonly to: string;
}

/** A line that the shell does not understand; its message is what the shell says. */
export class SyntaxProblem extends Error {}

const operators = ['&&', '||', ';', '|', '&', '(', ')', '\n'];
const redirect = /^(1|2)?>>?(&?)/;

/** Splits a line into operators and words; words keep their quotes and variables. */
function tokens(line: string): string[] {
  const found: string[] = [];
  let word = '';
  const end = () => {
    if (word !== '') found.push(word);
    word = '';
  };
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? '';
    if (character === '\\') {
      word += character + (line[index + 1] ?? '');
      index += 1;
    } else if (character === "'" || character === '"') {
      let close = index + 1;
      while (close < line.length && line[close] !== character) {
        close += character === '"' && line[close] === '\\' ? 2 : 1;
      }
      if (close >= line.length) throw new SyntaxProblem('syntax error: unterminated quoted string');
      word += line.slice(index, close + 1);
      index = close;
    } else if (character === '#' && word === '') {
      while (index + 1 < line.length && line[index + 1] !== '\n') index += 1;
    } else if (character === ' ' || character === '\t') end();
    else {
      const rest = line.slice(index);
      const operator = operators.find((item) => rest.startsWith(item));
      const goesTo = redirect.exec(rest)?.[0];
      if (goesTo !== undefined && (character === '>' || word === '')) {
        end();
        found.push(goesTo);
        index += goesTo.length - 1;
      } else if (operator !== undefined) {
        end();
        found.push(operator === '\n' ? ';' : operator);
        index += operator.length - 1;
      } else word += character;
    }
  }
  end();
  return found;
}

/** Reads a script; undefined when it asks for nothing. Throws SyntaxProblem. */
export function parse(script: string): Node | undefined {
  const all = tokens(script);
  let place = 0;
  const unexpected = (token: string) => new SyntaxProblem(`syntax error: unexpected "${token}"`);

  const command = (): Node | undefined => {
    if (all[place] === '(') {
      place += 1;
      const body = list();
      if (all[place] !== ')' || body === undefined) throw unexpected(all[place] ?? 'end of line');
      place += 1;
      return { kind: 'group', body };
    }
    const words: string[] = [];
    const redirects: Redirect[] = [];
    for (let token = all[place]; token !== undefined; token = all[place]) {
      const goesTo = redirect.exec(token);
      if (goesTo !== null && goesTo[0] === token) {
        const file = all[place + 1];
        if (file === undefined || operators.includes(file)) throw unexpected(file ?? 'newline');
        redirects.push({ from: goesTo[1] === '2' ? 2 : 1, to: `${goesTo[2] ?? ''}${file}` });
        place += 2;
      } else if (operators.includes(token)) break;
      else {
        words.push(token);
        place += 1;
      }
    }
    return words.length === 0 && redirects.length === 0 ? undefined : { kind: 'command', words, redirects };
  };

  const list = (): Node | undefined => {
    let left = command();
    for (let op = all[place]; op !== undefined && op !== ')'; op = all[place]) {
      if (op === '|') throw new SyntaxProblem('pipes are not offered by the shell of the playground');
      if (op === '&') throw new SyntaxProblem('nothing can run in the background of the playground');
      if (op !== ';' && op !== '&&' && op !== '||') throw unexpected(op);
      place += 1;
      if (left === undefined && op !== ';') throw unexpected(op);
      const right = command();
      if (right === undefined) {
        if (op !== ';') throw unexpected(all[place] ?? 'end of line');
      } else left = left === undefined ? right : { kind: 'list', left, op, right };
    }
    return left;
  };

  const whole = list();
  if (all[place] !== undefined) throw unexpected(all[place] ?? '');
  return whole;
}

const variable = /^\$(?:([A-Za-z_]\w*|\?|\$|#|0)|\{([A-Za-z_]\w*)(?::?-([^}]*))?\})/;

/** What a word stands for: its quotes taken off, its variables filled in. */
export function expand(word: string, value: (name: string) => string | undefined): string {
  let text = '';
  let quote = '';
  for (let index = 0; index < word.length; index++) {
    const character = word[index] ?? '';
    if (character === "'" && quote !== '"') quote = quote === "'" ? '' : "'";
    else if (character === '"' && quote !== "'") quote = quote === '"' ? '' : '"';
    else if (character === '\\' && quote !== "'") {
      const next = word[index + 1] ?? '';
      text += quote === '"' && !'$"\\`'.includes(next) ? `\\${next}` : next;
      index += 1;
    } else if (character === '$' && quote !== "'") {
      const match = variable.exec(word.slice(index));
      if (match === null) text += character;
      else {
        text += value(match[1] ?? match[2] ?? '') ?? match[3] ?? '';
        index += match[0].length - 1;
      }
    } else text += character;
  }
  return text;
}
