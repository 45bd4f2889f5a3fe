import { type ESTree, parseSync, Visitor } from 'vite';
import { fileOf, textOf } from '../sources.ts';

/** A class name that a component gives to an element, and the file that says it. */
export interface ClassUse {
  /** Ends in `…` where something is computed into it. */
  readonly name: string;
  readonly file: string;
}

/** What the classes of some files are, as far as their text says it. */
export interface ClassNames {
  readonly uses: readonly ClassUse[];
  /** Expressions that give classes and cannot be followed: as `file: text`. */
  readonly unread: readonly string[];
}

/** What a file declares and imports, by name: several values where a name means several things in it. */
interface Module {
  readonly file: string;
  readonly text: string;
  readonly program: ESTree.Program;
  readonly values: ReadonlyMap<string, readonly ESTree.Node[]>;
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

function parse(file: string): Module {
  const text = textOf(file);
  const { program } = parseSync(file, text);
  const values = new Map<string, ESTree.Node[]>();
  const imports = new Map<string, { file: string; name: string }>();
  const declare = (name: string, value: ESTree.Node) =>
    values.set(name, [...(values.get(name) ?? []), value]);
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) declare(id.name, init);
    },
    AssignmentExpression: ({ left, right }) => {
      if (left.type === 'Identifier') declare(left.name, right);
    },
    FunctionDeclaration: (node) => {
      if (node.id !== null) declare(node.id.name, node);
    },
    ImportDeclaration: ({ source, specifiers }) => {
      if (!source.value.startsWith('.')) return;
      const from = fileOf(file, { target: source.value });
      for (const one of specifiers)
        if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
          imports.set(one.local.name, { file: from, name: one.imported.name });
    },
  }).visit(program);
  return { file, text, program, values, imports };
}

/** Whether something of this name holds classes, so that whoever gives it is read. */
const holdsClasses = (name: string): boolean => /[cC]lass(?:es|Name)?$/.test(name);

const nameOf = (node: ESTree.Node): string =>
  node.type === 'Identifier' || node.type === 'JSXIdentifier'
    ? node.name
    : node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : '';

/** What a function returns, not what those within it do. */
function returnsOf(node: unknown): ESTree.Node[] {
  if (Array.isArray(node)) return node.flatMap(returnsOf);
  if (typeof node !== 'object' || node === null || !('type' in node)) return [];
  const one = node as ESTree.Node;
  if (one.type === 'ReturnStatement') return one.argument === null ? [] : [one.argument];
  if (one.type.includes('Function')) return [];
  return Object.values(one).flatMap(returnsOf);
}

/** The expressions that another one may come out as; undefined for one that is not put together in this way. */
function partsOf(node: ESTree.Node): readonly ESTree.Node[] | undefined {
  if (
    node.type === 'JSXExpressionContainer' ||
    node.type === 'ParenthesizedExpression' ||
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression'
  )
    return [node.expression];
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate];
  if (node.type === 'LogicalExpression')
    return node.operator === '&&' ? [node.right] : [node.left, node.right];
  if (node.type === 'ArrayExpression') return node.elements.filter((one) => one !== null);
  if (node.type === 'ObjectExpression')
    return node.properties.map((one) => (one.type === 'Property' ? one.value : one.argument));
  // A default where an object is taken apart.
  if (node.type === 'AssignmentPattern') return [node.right];
  if (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  )
    return node.body?.type === 'BlockStatement'
      ? returnsOf(node.body)
      : node.body === null
        ? []
        : [node.body];
  return undefined;
}

/**
 * The classes in some files: of every `className` and attribute named like one, of every `cva`, and of the constants,
 * maps and functions of these files that those name.
 */
export function classNamesIn(files: readonly string[]): ClassNames {
  const modules = new Map(files.map((file) => [file, parse(file)]));
  const seen = new Set<ESTree.Node>();
  const uses: ClassUse[] = [];
  const unread: string[] = [];

  function readText(text: string, { file }: Module): void {
    uses.push(...text.split(/\s+/).flatMap((name) => (name === '' ? [] : [{ name, file }])));
  }

  /** What a name stands for, and the module that says so. */
  function valuesOf(name: string, module: Module): readonly (readonly [ESTree.Node, Module])[] {
    const from = module.imports.get(name);
    const home = from === undefined ? module : modules.get(from.file);
    const values = home?.values.get(from?.name ?? name) ?? [];
    return home === undefined ? [] : values.map((value) => [value, home]);
  }

  function readName(name: string, node: ESTree.Node, module: Module): void {
    const values = valuesOf(name, module);
    for (const [value, home] of values) read(value, home);
    if (values.length === 0 && !holdsClasses(name) && name !== 'undefined') miss(node, module);
  }

  /** Reads what a function is given for those of its parameters that hold classes. */
  function readArguments(name: string, given: readonly ESTree.Node[], module: Module): void {
    for (const [value] of valuesOf(name, module)) {
      if (value.type !== 'ArrowFunctionExpression' && value.type !== 'FunctionDeclaration') continue;
      value.params.forEach((param, index) => {
        const argument = given[index];
        if (argument !== undefined && holdsClasses(nameOf(param))) read(argument, module);
      });
    }
  }

  function miss({ start, end }: ESTree.Node, { file, text }: Module): void {
    unread.push(`${file}: ${text.slice(start, end)}`);
  }

  function readMember(node: ESTree.MemberExpression, module: Module): void {
    if (node.computed || !holdsClasses(nameOf(node.property))) read(node.object, module);
  }

  function readCall(node: ESTree.CallExpression, module: Module): void {
    const { callee } = node;
    if (callee.type === 'MemberExpression') {
      const method = nameOf(callee.property);
      const [first] = node.arguments;
      if (method === 'map' && first !== undefined) return read(first, module);
      // What is done with a text or a list of texts leaves its words.
      return ['filter', 'join', 'trim'].includes(method) ? read(callee.object, module) : miss(node, module);
    }
    if (callee.type !== 'Identifier') return miss(node, module);
    const [base, options] = node.arguments;
    if (callee.name === 'useMemo' && base !== undefined) return read(base, module);
    if (callee.name !== 'cva') return readName(callee.name, node, module);
    if (base !== undefined) read(base, module);
    if (options?.type !== 'ObjectExpression') return;
    for (const one of options.properties) {
      if (one.type !== 'Property' || nameOf(one.key) !== 'variants') continue;
      if (one.value.type !== 'ObjectExpression') miss(one.value, module);
      else read(one.value, module);
    }
  }

  function readTemplate({ quasis, expressions }: ESTree.TemplateLiteral, module: Module): void {
    quasis.forEach(({ value: { cooked } }, index) => {
      const text = cooked ?? '';
      const added = expressions[index];
      const isJoined = added !== undefined && /\S$/.test(text);
      readText(isJoined ? `${text}…` : text, module);
      if (added !== undefined && !isJoined) read(added, module);
    });
  }

  /** Reads every text that an expression may give. */
  function read(node: ESTree.Node, module: Module): void {
    if (seen.has(node)) return;
    seen.add(node);
    const parts = partsOf(node);
    if (parts !== undefined) for (const part of parts) read(part, module);
    else if (node.type === 'Literal') readText(typeof node.value === 'string' ? node.value : '', module);
    else if (node.type === 'TemplateLiteral') readTemplate(node, module);
    else if (node.type === 'Identifier') readName(node.name, node, module);
    else if (node.type === 'MemberExpression') readMember(node, module);
    else if (node.type === 'CallExpression') readCall(node, module);
    else miss(node, module);
  }

  for (const module of modules.values())
    new Visitor({
      JSXAttribute: ({ name, value }) => {
        if (value !== null && holdsClasses(nameOf(name))) read(value, module);
      },
      Property: ({ key, value }) => {
        if (/^class(?:Name)?$|ClassName$/.test(nameOf(key))) read(value, module);
      },
      AssignmentExpression: ({ left, right }) => {
        if (left.type === 'MemberExpression' && nameOf(left.property) === 'className') read(right, module);
      },
      CallExpression: (node) => {
        const { callee } = node;
        if (callee.type === 'Identifier') {
          if (callee.name === 'cva') read(node, module);
          else readArguments(callee.name, node.arguments, module);
        }
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'MemberExpression') return;
        if (nameOf(callee.object.property) === 'classList')
          for (const one of node.arguments) read(one, module);
      },
    }).visit(module.program);
  return { uses, unread };
}
