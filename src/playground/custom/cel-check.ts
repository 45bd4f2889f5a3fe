import type { ASTNode } from '@marcbachmann/cel-js';
import { binary, chosen, resultOf } from './cel-calls.ts';
import {
  agree,
  bool,
  bytesType,
  type CelType,
  double,
  dyn,
  int,
  listOf,
  mapOf,
  nameOf,
  nothing,
  textType,
  typeType,
  uint,
} from './cel-type.ts';
import { explain, type Mistake } from './cel-words.ts';

/** What is known of a part of an expression: its type, how large its value and how dear its evaluation may be. */
interface Known {
  readonly type: CelType;
  readonly cost: number;
  readonly size: number;
}

/** What a check of an expression found. */
export interface Checked {
  readonly type: CelType;
  /** The most that evaluating it once may cost. */
  readonly cost: number;
  /** What the compiler says is wrong; undefined when nothing is. */
  readonly problem: string | undefined;
}

const operators: Readonly<Record<string, string>> = { '!_': '!_', '-_': '-_', '?:': '_?_:_', in: '@in' };
const shown = (operator: string) => operators[operator] ?? `_${operator}_`;
const tenth = (size: number) => Math.ceil(size * 0.1);
const scalar = new Set(['bool', 'int', 'uint', 'double', 'null', 'timestamp', 'duration', 'type']);
const traversing = new Set(['isSorted', 'sum', 'min', 'max', 'indexOf', 'lastIndexOf']);
const rewriting = new Set([
  'lowerAscii',
  'upperAscii',
  'trim',
  'replace',
  'split',
  'substring',
  'join',
  'charAt',
]);
const typeNames = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);

/** Looks at one expression with the variables it may read. */
class Checker {
  readonly mistakes: Mistake[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  #wrong(at: number, text: string): Known {
    if (!this.mistakes.some((one) => one.at === at && one.text === text)) this.mistakes.push({ at, text });
    return { type: dyn, cost: 0, size: Number.POSITIVE_INFINITY };
  }

  /** Where a sign stands after a part. */
  #after(node: ASTNode, sign: string): number {
    const found = this.#text.indexOf(sign, node.end);
    return found < 0 ? node.start : found;
  }

  #sized(type: CelType, cost: number): Known {
    return { type, cost, size: scalar.has(type.kind) ? 1 : Number.POSITIVE_INFINITY };
  }

  look(node: ASTNode, names: ReadonlyMap<string, CelType>): Known {
    const { op } = node;
    switch (op) {
      case 'value':
        return this.#literal(node.args);
      case 'id':
        return this.#name(node.args, node.start, names);
      case '.':
      case '.?':
        return this.#select(node.args[0], node.args[1], op, names);
      case '[]':
      case '[?]':
        return this.#index(node.args[0], node.args[1], op, names);
      case 'list': {
        const items = node.args.map((item) => this.look(item, names));
        const [first] = items;
        const isOne = first !== undefined && items.every((item) => agree(item.type, first.type));
        const cost = items.reduce((sum, item) => sum + item.cost, 10);
        return { type: listOf(isOne ? first.type : dyn), cost, size: items.length };
      }
      case 'map': {
        const entries = node.args.map(
          ([key, value]) => [this.look(key, names), this.look(value, names)] as const,
        );
        const cost = entries.reduce((sum, [key, value]) => sum + key.cost + value.cost, 30);
        return { type: mapOf(entries[0]?.[1].type ?? dyn), cost, size: entries.length };
      }
      case '!_':
      case '-_': {
        const inner = this.look(node.args, names);
        const isFit =
          inner.type.kind === 'dyn' ||
          (op === '!_' ? inner.type.kind === 'bool' : ['int', 'double'].includes(inner.type.kind));
        if (!isFit) return this.#unfit(node.start, shown(op), [inner.type]);
        return this.#sized(inner.type, inner.cost + 1);
      }
      case '&&':
      case '||': {
        const parts = node.args.map((part) => this.look(part, names));
        const wrong = parts.some(({ type }) => type.kind !== 'bool' && type.kind !== 'dyn');
        if (wrong) {
          const at = this.#after(node.args[0], op);
          return this.#unfit(
            at,
            shown(op),
            parts.map(({ type }) => type),
          );
        }
        return { type: bool, cost: parts.reduce((sum, { cost }) => sum + cost, 0), size: 1 };
      }
      case '?:':
        return this.#choice(node.args, names);
      case 'call':
        return this.#call(node, node.args[0], node.args[1], names);
      case 'rcall':
        return this.#member(node.args[0], node.args[1], node.args[2], names);
      case 'in':
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return this.#binary(op, node.args, names);
      default:
        return node satisfies never;
    }
  }

  #unfit(at: number, name: string, types: readonly CelType[], isMember = false): Known {
    const [first, ...rest] = types.map(nameOf);
    const applied = isMember
      ? `'${first ?? ''}.(${rest.join(', ')})'`
      : `'(${types.map(nameOf).join(', ')})'`;
    return this.#wrong(at, `found no matching overload for '${name}' applied to ${applied}`);
  }

  #literal(value: unknown): Known {
    if (typeof value === 'string') {
      return { type: { ...textType, most: value.length }, cost: 0, size: value.length };
    }
    if (value instanceof Uint8Array) return { type: bytesType, cost: 0, size: value.length };
    if (typeof value === 'bigint') return this.#sized(int, 0);
    if (typeof value === 'number') return this.#sized(double, 0);
    if (typeof value === 'boolean') return this.#sized(bool, 0);
    return this.#sized(value === null ? nothing : uint, 0);
  }

  #name(name: string, at: number, names: ReadonlyMap<string, CelType>): Known {
    const type = names.get(name);
    if (type !== undefined) return { type, cost: 1, size: type.most };
    if (typeNames.has(name)) return this.#sized(typeType, 1);
    return this.#wrong(at, `undeclared reference to '${name}' (in container '')`);
  }

  #field(type: CelType, name: string, at: number): CelType {
    if (type.kind === 'dyn') return dyn;
    if (type.kind === 'map') return type.item ?? dyn;
    if (type.kind === 'optional') return chosen(this.#field(type.item ?? dyn, name, at));
    if (type.kind !== 'object') {
      this.#wrong(at, `type '${nameOf(type)}' does not support field selection`);
      return dyn;
    }
    const found = type.fields?.get(name);
    if (found === undefined) this.#wrong(at, `undefined field '${name}'`);
    return found ?? dyn;
  }

  #select(from: ASTNode, name: string, op: string, names: ReadonlyMap<string, CelType>): Known {
    const holder = this.look(from, names);
    const type = this.#field(holder.type, name, this.#after(from, '.'));
    const isOptional = op === '.?' && type.kind !== 'optional';
    return { type: isOptional ? chosen(type) : type, cost: holder.cost + 1, size: type.most };
  }

  #index(from: ASTNode, key: ASTNode, op: string, names: ReadonlyMap<string, CelType>): Known {
    const holder = this.look(from, names);
    const place = this.look(key, names);
    const { kind, item = dyn } = holder.type;
    const wanted = kind === 'list' ? ['int', 'uint', 'double'] : ['string'];
    const isFit = kind === 'list' || kind === 'map' ? wanted.includes(place.type.kind) : kind === 'dyn';
    if (!isFit && place.type.kind !== 'dyn') {
      return this.#unfit(this.#after(from, '['), '_[_]', [holder.type, place.type]);
    }
    const type = kind === 'dyn' ? dyn : item;
    return {
      type: op === '[?]' ? chosen(type) : type,
      cost: holder.cost + place.cost + 1,
      size: type.most,
    };
  }

  #choice(parts: readonly ASTNode[], names: ReadonlyMap<string, CelType>): Known {
    const [test, yes, no] = parts.map((part) => this.look(part, names));
    const [first] = parts;
    if (test === undefined || yes === undefined || no === undefined || first === undefined) {
      return this.#sized(dyn, 0);
    }
    const isFit = (test.type.kind === 'bool' || test.type.kind === 'dyn') && agree(yes.type, no.type);
    if (!isFit) {
      return this.#unfit(this.#after(first, '?'), '_?_:_', [test.type, yes.type, no.type]);
    }
    return {
      type: yes.type.kind === 'dyn' ? no.type : yes.type,
      cost: test.cost + Math.max(yes.cost, no.cost),
      size: Math.max(yes.size, no.size),
    };
  }

  #binary(op: string, [left, right]: [ASTNode, ASTNode], names: ReadonlyMap<string, CelType>): Known {
    const [a, b] = [this.look(left, names), this.look(right, names)];
    const type = binary(op, a.type, b.type);
    if (type === undefined) return this.#unfit(this.#after(left, op), shown(op), [a.type, b.type]);
    const both = a.cost + b.cost;
    switch (op) {
      case 'in':
        return this.#sized(type, both + (b.type.kind === 'list' ? b.size : 1));
      case '+': {
        const size = a.size + b.size;
        if (type.kind === 'string' || type.kind === 'bytes') return { type, cost: both + tenth(size), size };
        return type.kind === 'list' ? { type, cost: both + 1, size } : this.#sized(type, both + 1);
      }
      case '-':
      case '*':
      case '/':
      case '%':
        return this.#sized(type, both + 1);
      default:
        return this.#sized(type, both + this.#comparison(op, a, b));
    }
  }

  /** Texts and lists are compared part by part; numbers at once. */
  #comparison(op: string, a: Known, b: Known): number {
    const isLong = op === '==' || op === '!=' || a.type.kind === 'string' || a.type.kind === 'bytes';
    return isLong ? tenth(Math.min(a.size, b.size)) : 1;
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[], names: ReadonlyMap<string, CelType>): Known {
    const open = this.#text.indexOf('(', node.start);
    if (name === 'has') {
      const [field] = args;
      if (field?.op !== '.') return this.#wrong(open, 'invalid argument to has() macro');
      const inner = this.look(field, names);
      return this.#sized(bool, Math.max(0, inner.cost - 1));
    }
    const given = args.map((arg) => this.look(arg, names));
    return this.#called(name, given, open, false);
  }

  #called(name: string, given: readonly Known[], at: number, isMember: boolean): Known {
    const types = given.map(({ type }) => type);
    const type = resultOf(name, types, isMember);
    if (type === 'unknown') return this.#wrong(at, `undeclared reference to '${name}' (in container '')`);
    if (type === 'unfit') return this.#unfit(at, name, types, isMember);
    const spent = given.reduce((sum, { cost }) => sum + cost, 0);
    const [target, first] = given;
    const size = target?.size ?? 1;
    const own = this.#callCost(name, size, first?.size ?? 1, target?.type.item);
    const kept = rewriting.has(name) && type.kind === 'string' ? size : undefined;
    const known = this.#sized(type, spent + own);
    return kept === undefined ? known : { ...known, size: kept };
  }

  #callCost(name: string, size: number, other: number, item: CelType | undefined): number {
    switch (name) {
      case 'contains':
        return tenth(size) * tenth(other);
      case 'matches':
      case 'find':
      case 'findAll':
        return tenth(size + 1) * Math.ceil(other * 0.25);
      case 'startsWith':
      case 'endsWith':
        return tenth(other);
      default:
        if (traversing.has(name)) {
          const isLong = item?.kind === 'string' || item?.kind === 'bytes';
          return item === undefined ? tenth(size) : size * (isLong ? Math.max(1, tenth(item.most)) : 1);
        }
        return rewriting.has(name) || name === 'quantity' || name === 'url' ? tenth(size) : 1;
    }
  }

  #member(name: string, on: ASTNode, args: readonly ASTNode[], names: ReadonlyMap<string, CelType>): Known {
    const open = this.#text.indexOf('(', this.#after(on, name));
    const macro = macros[name] ?? [];
    const [variable] = args;
    if (macro.includes(args.length) && variable?.op === 'id') {
      return this.#macro(name, on, variable.args, args.slice(1), names);
    }
    // Functions of a library carry its name: sets.contains(a, b).
    if (on.op === 'id' && !names.has(on.args)) {
      const full = `${on.args}.${name}`;
      const given = args.map((arg) => this.look(arg, names));
      if (resultOf(full, [], false) !== 'unknown') return this.#called(full, given, open, false);
    }
    const target = this.look(on, names);
    return this.#called(name, [target, ...args.map((arg) => this.look(arg, names))], open, true);
  }

  /** A macro is a loop: its body counts once for each item that there may be. */
  #macro(
    name: string,
    on: ASTNode,
    variable: string,
    bodies: readonly ASTNode[],
    names: ReadonlyMap<string, CelType>,
  ): Known {
    const range = this.look(on, names);
    const { kind, item = dyn } = range.type;
    if (kind !== 'list' && kind !== 'map' && kind !== 'dyn') {
      const what = `expression of type '${nameOf(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      return this.#wrong(on.start, what);
    }
    const one = kind === 'dyn' ? dyn : kind === 'map' ? { ...textType, most: 0 } : item;
    const parts = bodies.map((body) => this.look(body, new Map([...names, [variable, one]])));
    const [first, last] = [parts[0], parts.at(-1)];
    const spent = parts.reduce((sum, { cost }) => sum + cost, 0);
    const isTest = name !== 'map' || parts.length > 1;
    if (isTest && first !== undefined && first.type.kind !== 'bool' && first.type.kind !== 'dyn') {
      const at = bodies[0]?.start ?? on.start;
      const what = name === 'all' ? '_&&_' : name === 'exists' ? '_||_' : '_?_:_';
      if (what !== '_?_:_') return this.#unfit(at, what, [bool, first.type]);
      return this.#wrong(at, `expected type 'bool' but found '${nameOf(first.type)}'`);
    }
    // What each turn adds: the condition to go on, and how its result joins what there is.
    const [begin, turn, end] = loops[name] ?? [0, 3, 1];
    const cost = range.cost + begin + range.size * (turn + spent) + end;
    if (name === 'filter') return { type: listOf(one), cost, size: range.size };
    if (name === 'map') return { type: listOf(last?.type ?? dyn), cost, size: range.size };
    return this.#sized(bool, cost);
  }
}

/** How many arguments each macro takes. */
const macros: Readonly<Record<string, readonly number[]>> = {
  all: [2],
  exists: [2],
  exists_one: [2],
  existsOne: [2],
  filter: [2],
  map: [2, 3],
};

const loops: Readonly<Record<string, readonly [begin: number, turn: number, end: number]>> = {
  all: [0, 3, 1],
  exists: [0, 4, 1],
  exists_one: [0, 2, 2],
  existsOne: [0, 2, 2],
  filter: [10, 13, 1],
  map: [10, 12, 1],
};

/** Checks a parsed expression: the types of its parts, and what it may cost. */
export function checkExpression(text: string, tree: ASTNode, names: ReadonlyMap<string, CelType>): Checked {
  const checker = new Checker(text);
  const { type, cost } = checker.look(tree, names);
  const { mistakes } = checker;
  return { type, cost, problem: mistakes.length === 0 ? undefined : explain(text, mistakes) };
}
