import { type ESTree, parseSync } from 'vite';
import { sources, textOf } from './sources.ts';

/** A string, template or JSX text of a source file. */
export interface SourceText {
  readonly file: string;
  readonly line: number;
  /** Expressions within it are written as `{…}`. */
  readonly text: string;
  /** Whether a person reads it, as far as its place and its form say so. */
  readonly isShown: boolean;
}

/** Attributes, properties and variables whose strings people read. */
const shownNames =
  /^(?:title|label|description|hint|placeholder|summary|help|detail|message|text|prompt|problem|issue|sentence|empty|failure|fault|warning|reason|advice|afterCancel|unchecked|tooMany|removed|added|alt|aria-?[lL]abel|aria-description|aria-roledescription|aria-valuetext)$|(?:Title|Label|Text|Message|Hint|Sentence|Placeholder)$/;

/** Constants that hold texts by key, such as `createTexts`. */
const textTables = /(?:texts|words|labels|messages|sentences|titles)$/i;

/** Functions and classes that tell people what they are given. */
const tellers = /^(?:Refusal|StartError|CredentialFailed|Fault|say|refuse|announce|speak)$/;

/** What never reaches a person: class names, selectors, log lines for operators. */
const silentAttributes =
  /^(?:className|id|key|href|role|name|type|htmlFor|d|viewBox|data-.*|.*ClassName|.*Class)$/;
const logMethods = /^(?:trace|debug|info|warn|error|fatal|log)$/;

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (node: ESTree.Node | null | undefined): string =>
  node?.type === 'Identifier' || node?.type === 'JSXIdentifier' || node?.type === 'PrivateIdentifier'
    ? node.name
    : node?.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node?.type === 'MemberExpression'
        ? nameOf(node.property)
        : '';

/** Whether a call writes to the server's log or to the browser's console, which people using the console do not read. */
function isLogCall({ callee }: ESTree.CallExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    logMethods.test(nameOf(callee.property)) &&
    /^(?:log|logger)$/i.test(nameOf(callee.object))
  );
}

/** Class names that a template adds to others, such as `{…} border-control bg-surface`. */
const readsAsClasses = (text: string): boolean =>
  text.startsWith('{…}') && text.split(' ').filter((word) => /^[a-z:]+-[a-z0-9-]+$/.test(word)).length > 1;

/** A text that is a sentence wherever it stands: it begins with a capital letter and has several words. */
const readsAsSentence = (text: string): boolean =>
  /^(?:[A-Z"“]|\{…\} [a-z])/.test(text) &&
  /[a-z]{2,}[,:"”)]? (?:\S*[a-z…])/.test(text) &&
  !readsAsClasses(text);

/** The code of a failure, such as `unreachable`, beside the sentence about it. */
const isCode = (node: ESTree.Node): boolean =>
  node.type === 'Literal' && typeof node.value === 'string' && /^[a-z-]+$/.test(node.value);

/** JSX drops line breaks and the blanks around them. */
const joinLines = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** What becomes of the texts below a node: shown by where they stand, judged by their form, or never shown. */
type Reach = 'shown' | 'shownAll' | 'form' | 'silent';

/** Every string, template and JSX text of one file; `text` is the file's content. */
export function textsIn(file: string, text: string): SourceText[] {
  const { program } = parseSync(file, text);
  const found: SourceText[] = [];

  function emit(node: ESTree.Node, value: string, reach: Reach): void {
    const trimmed = value.replace(/\s+/g, ' ').trim();
    if (!/[A-Za-z]{2}/.test(trimmed.replaceAll('{…}', ''))) return;
    const line = text.slice(0, node.start).split('\n').length;
    const isShown = reach === 'form' ? readsAsSentence(trimmed) : reach !== 'silent';
    found.push({ file, line, text: trimmed, isShown });
  }

  const templateText = ({ quasis }: ESTree.TemplateLiteral): string =>
    quasis.map(({ value }) => value.cooked ?? '').join('{…}');

  /** The parts of `'a' + b + 'c'`, from left to right. */
  function summands(node: ESTree.Node): ESTree.Node[] {
    return node.type === 'BinaryExpression' && node.operator === '+'
      ? [...summands(node.left), ...summands(node.right)]
      : [node];
  }

  function walkSum(node: ESTree.BinaryExpression, reach: Reach): void {
    const parts = summands(node);
    const isText = (part: ESTree.Node) =>
      part.type === 'TemplateLiteral' || (part.type === 'Literal' && typeof part.value === 'string');
    if (!parts.some(isText)) return walkAll(parts, reach);
    const words = parts.map((part) =>
      part.type === 'TemplateLiteral' ? templateText(part) : isText(part) ? nameOf(part) : '{…}',
    );
    emit(node, words.join(''), reach);
    for (const part of parts)
      if (part.type === 'TemplateLiteral') walkAll(part.expressions, 'form');
      else if (!isText(part)) walk(part, reach);
  }

  function walkElement({ children, openingElement }: ESTree.JSXElement, reach: Reach): void {
    walk(openingElement, 'form');
    const pieces = children.map((child) => (child.type === 'JSXText' ? joinLines(child.value) : '{…}'));
    const [firstText] = children.filter((child) => child.type === 'JSXText' && child.value.trim() !== '');
    if (firstText !== undefined) {
      // An element that holds words and blocks of elements alike is one line for each run of words.
      emit(firstText, pieces.join(''), reach === 'silent' ? 'silent' : 'shown');
    }
    for (const child of children) if (child.type !== 'JSXText') walk(child, 'shown');
  }

  function walkCall(node: ESTree.CallExpression | ESTree.NewExpression, reach: Reach): void {
    walk(node.callee, 'form');
    if (node.type === 'CallExpression' && isLogCall(node)) return walkAll(node.arguments, 'silent');
    const name = nameOf(node.callee);
    if (name === 'cva') return walkAll(node.arguments, 'silent');
    const tells =
      tellers.test(name) ||
      (node.callee.type === 'MemberExpression' && /^toast(?:er)?$/.test(nameOf(node.callee.object)));
    for (const argument of node.arguments)
      walk(argument, reach === 'silent' ? 'silent' : tells && !isCode(argument) ? 'shown' : 'form');
  }

  function walkProperty(
    {
      key,
      value,
      computed,
    }: Pick<ESTree.ObjectProperty, 'key' | 'computed'> & { readonly value: ESTree.Node },
    reach: Reach,
  ): void {
    const name = nameOf(key);
    if (computed) walk(key, 'form');
    if (reach === 'silent' || reach === 'shownAll') return walk(value, reach);
    walk(value, silentAttributes.test(name) ? 'silent' : shownNames.test(name) ? 'shown' : 'form');
  }

  function walkAttribute({ name, value }: ESTree.JSXAttribute): void {
    if (value === null) return;
    const label = nameOf(name);
    const reach: Reach = shownNames.test(label) ? 'shown' : silentAttributes.test(label) ? 'silent' : 'form';
    walk(value, reach);
  }

  function walkAll(nodes: readonly unknown[], reach: Reach): void {
    for (const one of nodes) if (isNode(one)) walk(one, reach);
  }

  function walk(node: ESTree.Node, reach: Reach): void {
    if (node.type === 'Literal') {
      if (typeof node.value === 'string') emit(node, node.value, reach);
    } else if (node.type === 'TemplateLiteral') {
      emit(node, templateText(node), reach);
      walkAll(node.expressions, 'form');
    } else if (node.type === 'BinaryExpression') {
      if (node.operator === '+') walkSum(node, reach);
      else walkAll([node.left, node.right], 'silent');
    } else if (node.type === 'ConditionalExpression') {
      walk(node.test, 'silent');
      walkAll([node.consequent, node.alternate], reach);
    } else if (node.type === 'LogicalExpression') {
      walk(node.left, node.operator === '&&' ? 'silent' : reach);
      walk(node.right, reach);
    } else if (node.type === 'MemberExpression') walk(node.object, reach);
    else if (node.type === 'JSXElement') walkElement(node, reach);
    else if (node.type === 'JSXAttribute') walkAttribute(node);
    else if (node.type === 'CallExpression' || node.type === 'NewExpression') walkCall(node, reach);
    else if (node.type === 'Property') walkProperty(node, reach);
    else if (node.type === 'PropertyDefinition') {
      if (node.value !== null) walk(node.value, shownNames.test(nameOf(node.key)) ? 'shown' : 'form');
    } else if (node.type === 'VariableDeclarator') {
      if (node.init !== null) walk(node.init, textTables.test(nameOf(node.id)) ? 'shownAll' : 'form');
    } else if (node.type === 'ExportNamedDeclaration') walkAll([node.declaration], 'form');
    else if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
      walk(node.expression, reach);
    else if (!/^TS|^Import|^ExportAll/.test(node.type)) walkAll(Object.values(node).flat(), reach);
  }

  walk(program, 'form');
  return found;
}

/** Every text of the product's own source: the playground speaks the API server's words and is left out. */
export const productTexts = (): SourceText[] =>
  ['src', 'commands']
    .flatMap(sources)
    .filter((file) => !file.startsWith('src/playground/'))
    .flatMap((file) => textsIn(file, textOf(file)));
