/** A matcher of a selector. */
export interface Matcher {
  readonly label: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** An expression of the part of PromQL that the Prometheus of the playground knows. */
export type Expression =
  | { readonly type: 'selector'; readonly metric: string; readonly matchers: readonly Matcher[] }
  | {
      readonly type: 'rate';
      readonly of: Extract<Expression, { type: 'selector' }>;
      /** s */
      readonly window: number;
    }
  | {
      readonly type: 'aggregate';
      readonly by: readonly string[];
      readonly operator: 'sum' | 'max' | 'count';
      readonly of: Expression;
    }
  | { readonly type: 'or'; readonly left: Expression; readonly right: Expression };

/** An expression that cannot be read, or that this Prometheus does not know. */
export class ParseError extends Error {}

const token =
  /\s*(?:(?<string>"(?:[^"\\]|\\.)*")|(?<duration>\[\d+[smhd]\])|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<sign>=~|!~|!=|[={}(),]))/y;

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

type Token = { readonly kind: 'string' | 'duration' | 'word' | 'sign'; readonly text: string };

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const end = text.trimEnd().length;
  while (at < end) {
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    if (groups === undefined) throw new ParseError(`1:${at + 1}: parse error: unexpected character`);
    at = token.lastIndex;
    for (const kind of ['string', 'duration', 'word', 'sign'] as const) {
      const found = groups[kind];
      if (found !== undefined) tokens.push({ kind, text: found });
    }
  }
  return tokens;
}

/** Reads an expression. Throws ParseError. */
export function parsePromql(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  const expression = parser.expression();
  parser.end();
  return expression;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expression(): Expression {
    let left = this.#operand();
    while (this.#peek()?.text === 'or') {
      this.#at += 1;
      left = { type: 'or', left, right: this.#operand() };
    }
    return left;
  }

  end(): void {
    const rest = this.#peek();
    if (rest !== undefined) throw new ParseError(`parse error: unexpected ${rest.text}`);
  }

  #operand(): Expression {
    const word = this.#take('word');
    if (word === 'sum' || word === 'max' || word === 'count') {
      const by = this.#peek()?.text === 'by' ? this.#labels() : [];
      this.#sign('(');
      const of = this.expression();
      this.#sign(')');
      return { type: 'aggregate', operator: word, by, of };
    }
    if (word === 'rate') {
      this.#sign('(');
      const of = this.#selector(this.#take('word'));
      const [, count = '', unit = ''] = /^\[(\d+)([smhd])\]$/.exec(this.#take('duration')) ?? [];
      this.#sign(')');
      return { type: 'rate', of, window: Number(count) * (units[unit] ?? 1) };
    }
    return this.#selector(word);
  }

  #labels(): readonly string[] {
    this.#at += 1;
    this.#sign('(');
    const labels = [this.#take('word')];
    while (this.#peek()?.text === ',') {
      this.#at += 1;
      labels.push(this.#take('word'));
    }
    this.#sign(')');
    return labels;
  }

  #selector(metric: string): Extract<Expression, { type: 'selector' }> {
    const matchers: Matcher[] = [];
    if (this.#peek()?.text !== '{') return { type: 'selector', metric, matchers };
    this.#at += 1;
    while (this.#peek()?.text !== '}') {
      const label = this.#take('word');
      const op = this.#take('sign');
      if (op !== '=' && op !== '!=' && op !== '=~' && op !== '!~')
        throw new ParseError(`parse error: unexpected ${op} in label matching`);
      matchers.push({ label, op, value: unquoted(this.#take('string')) });
      if (this.#peek()?.text === ',') this.#at += 1;
    }
    this.#at += 1;
    return { type: 'selector', metric, matchers };
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #take(kind: Token['kind']): string {
    const found = this.#peek();
    if (found?.kind !== kind)
      throw new ParseError(`parse error: unexpected ${found?.text ?? 'end of input'}, expected ${kind}`);
    this.#at += 1;
    return found.text;
  }

  #sign(text: string): void {
    if (this.#take('sign') !== text) throw new ParseError(`parse error: expected ${text}`);
  }
}

/** A text in quotes, as Go's rules have it. */
const unquoted = (text: string) =>
  text.slice(1, -1).replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
