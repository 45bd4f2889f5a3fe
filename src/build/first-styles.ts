import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';
import { wholeStylesMeta } from '../contract/whole-styles.ts';
import { firstChunksIn } from './first-list-budget.ts';

/** A rule of a style sheet, or a statement without a block. */
interface Rule {
  /** The selector or the at-rule; the whole text of a statement. */
  readonly head: string;
  /** The content of its block; undefined for a statement. */
  readonly body: string | undefined;
}

/** The index of the end of a text in quotes that begins at an index. */
function endOfText(css: string, from: number): number {
  let at = from + 1;
  while (at < css.length && css[at] !== css[from]) at += css[at] === '\\' ? 2 : 1;
  return at;
}

/** The rules of a style sheet or of a block, in order. Throws for a block without an end. */
export function rulesIn(css: string): readonly Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let begin = 0;
  let open = 0;
  for (let at = 0; at < css.length; at += 1) {
    const letter = css[at];
    if (letter === '\\') at += 1;
    else if (letter === '"' || letter === "'") at = endOfText(css, at);
    else if (letter === '{') {
      if (depth === 0) open = at;
      depth += 1;
    } else if (letter === '}') {
      depth -= 1;
      if (depth > 0) continue;
      rules.push({ head: css.slice(begin, open), body: css.slice(open + 1, at) });
      begin = at + 1;
    } else if (letter === ';' && depth === 0) {
      rules.push({ head: css.slice(begin, at + 1), body: undefined });
      begin = at + 1;
    }
  }
  if (depth !== 0) throw new Error('A block of the style sheet does not end.');
  const rest = css.slice(begin).trim();
  return rest === '' ? rules : [...rules, { head: rest, body: undefined }];
}

const withoutEscapes = (text: string): string => text.replaceAll('\\', '');

/** The classes that the selectors of a rule begin with. */
const leadingClasses = (head: string): readonly string[] =>
  [...head.matchAll(/(?:^|,)\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => withoutEscapes(name));

/** Whether some code names a class: as a word of a text, or where it holds what ends a word. */
function namesOf(code: string): (name: string) => boolean {
  const plainCode = withoutEscapes(code);
  const words = new Set(plainCode.split(/[\s"'`{}$]+/));
  return (name) => words.has(name) || (/[\s"'`{}$]/.test(name) && plainCode.includes(name));
}

/** The rules without those whose classes are not named; what is no class stays. */
function usedRules(css: string, isNamed: (name: string) => boolean): string {
  return rulesIn(css)
    .map(({ head, body }) => {
      if (body === undefined) return head;
      if (head.startsWith('@')) {
        const inner = usedRules(body, isNamed);
        return inner === '' ? '' : `${head}{${inner}}`;
      }
      const classes = leadingClasses(head);
      return classes.length === 0 || classes.some(isNamed) ? `${head}{${body}}` : '';
    })
    .join('');
}

/** A block of custom properties without those that neither the other rules, some code nor what remains of it refers to. */
function usedProperties(block: string, others: string, code: string): string {
  const used = block.replaceAll(/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, (declaration, name: string) =>
    [block, others].some((css) => css.includes(`var(${name})`) || css.includes(`var(${name},`)) ||
    code.includes(name)
      ? declaration
      : '',
  );
  return used === block ? block : usedProperties(used, others, code);
}

/**
 * A style sheet with the utilities that some code names, in their order, and the properties of the theme that these need;
 * everything else stays as it is.
 * @param css minified, with Tailwind's layers
 */
export function stylesFor(css: string, code: string): string {
  const isNamed = namesOf(code);
  const rules = rulesIn(css).map(({ head, body }) =>
    body !== undefined && head.trim() === '@layer utilities'
      ? { head, body: usedRules(body, isNamed) }
      : { head, body },
  );
  const utilities = rules.find(({ head }) => head.trim() === '@layer utilities')?.body ?? '';
  // Registrations of properties of utilities that are left out.
  const isIdle = (head: string) =>
    head.startsWith('@property --tw-') && !utilities.includes(head.slice('@property '.length));
  const isTheme = ({ head }: Rule) => head.trim() === '@layer theme';
  const others = rules.flatMap((rule) => (isTheme(rule) ? [] : [rule.body ?? ''])).join('');
  return rules
    .filter(({ head }) => !isIdle(head))
    .map((rule) =>
      isTheme(rule) && rule.body !== undefined
        ? { ...rule, body: usedProperties(rule.body, others, code) }
        : rule,
    )
    .map(({ head, body }) => (body === undefined ? head : `${head}{${body}}`))
    .join('');
}

const addressOf = (fileName: string): string => `/${fileName}`;

/** The style sheet that a built document names. */
function sheetOf(
  html: Rolldown.OutputAsset,
  bundle: Rolldown.OutputBundle,
): Rolldown.OutputAsset | undefined {
  const [, fileName = ''] = /<link rel="stylesheet"[^>]* href="\/([^"]+)"/.exec(String(html.source)) ?? [];
  const file = bundle[fileName];
  return file?.type === 'asset' ? file : undefined;
}

/**
 * Lets the built page begin with the styles of its first screen: half of all. The page asks for the whole sheet once that
 * screen has its content (`kit/whole-styles.ts`). The whole one follows in the document and has every rule of the first, so
 * from then on what it says counts, in its order.
 */
export function firstStyles(): Plugin {
  return {
    name: 'first-styles',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const html = bundle['index.html'];
        const whole = html?.type === 'asset' ? sheetOf(html, bundle) : undefined;
        if (html?.type !== 'asset' || whole === undefined)
          this.error('The page has no style sheet, or no document.');
        const code = firstChunksIn(bundle).map((chunk) => chunk.code);
        const source = stylesFor(String(whole.source), code.join('\n'));
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        const fileName = `assets/first-${hash}.css`;
        this.emitFile({ type: 'asset', fileName, source });
        html.source = String(html.source)
          .replace(addressOf(whole.fileName), addressOf(fileName))
          .replace(
            '</head>',
            `  <meta name="${wholeStylesMeta}" content="${addressOf(whole.fileName)}" />\n  </head>`,
          );
      },
    },
  };
}
