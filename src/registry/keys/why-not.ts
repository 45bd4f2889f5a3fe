import { plainTitle } from '../commands/command.ts';
import type { Binding } from './keymap.ts';
import type { Stroke } from './keys.ts';
import { type Lacked, lackingFor, type May } from '../commands/registry.ts';
import { anyViewFocus, type ContextKeys, clausesOf, matches, valuesOf } from '../commands/when.ts';

/** Why a key does nothing here, and the command that it runs elsewhere. */
export interface WhyNot {
  /** A whole sentence. */
  readonly text: string;
  /** The bound keys. */
  readonly strokes: readonly Stroke[];
}

/** What the explanation needs to know of the context. */
export interface WhyNotParts {
  readonly context: ContextKeys;
  /** Undefined until the permissions on the cluster are known. */
  readonly may: May | undefined;
  /** Name of the selected cluster, where it is known. */
  readonly clusterName?: string | undefined;
  /** List title of a kind; undefined for kinds without a file. */
  readonly kindTitle: (id: string) => string | undefined;
}

/** Maximum number of kinds that the sentence lists by name. */
const maxKindNames = 4;

const viewNames: Readonly<Record<string, string>> = {
  table: 'in a list',
  page: 'on a page that is not a list',
  log: 'in a log',
  diff: 'in a comparison',
  yaml: 'in YAML that is read',
  terminal: 'in a terminal',
};

/** Keys that pages handle themselves, which are no mistake to press. */
const native = /^(?:shift\+)?(?:enter|esc|space|tab|up|down|left|right|home|end|pageup|pagedown)$/;

/** The context keys that keep a binding from matching, in the clause that is closest to matching. */
function obstacles(
  { when, hidden }: Binding,
  context: ContextKeys,
): readonly (keyof ContextKeys)[] | undefined {
  if (hidden?.some((one) => matches(one, context)) === true) return undefined;
  const failing = clausesOf(when ?? {}).map((clause) =>
    (Object.keys(clause) as (keyof ContextKeys)[]).filter(
      (key) => !valuesOf(clause[key] ?? []).includes(context[key]),
    ),
  );
  return failing.sort((a, b) => a.length - b.length)[0];
}

/** The values of a context key for which a binding matches. */
const wantedOf = ({ when }: Binding, key: keyof ContextKeys): readonly string[] =>
  clausesOf(when ?? {}).flatMap((clause) => [...valuesOf(clause[key] ?? [])]);

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function kindText(title: string, kinds: readonly string[], { context, kindTitle }: WhyNotParts): string {
  const names = kinds.flatMap((id) => kindTitle(id)?.toLowerCase() ?? []);
  const on = names.length === 0 || names.length > maxKindNames ? 'other kinds' : listed(names);
  const here = kindTitle(context.kind)?.toLowerCase();
  return here === undefined ? `${title} is for ${on}.` : `${title} is for ${on}, not for ${here}.`;
}

function sentence(
  binding: Binding,
  failing: readonly (keyof ContextKeys)[],
  kinds: readonly string[],
  parts: WhyNotParts,
): string | undefined {
  const title = `“${plainTitle(binding.command).replace(/…$/, '')}”`;
  if (failing.includes('cluster')) return `${title} needs a cluster. Choose one first.`;
  if (failing.includes('tiles')) return `${title} needs a second tile. Split this one first.`;
  if (failing.includes('focus')) {
    if (parts.context.focus === 'text')
      return `${title} does nothing beside an editor or a terminal. Go to another view of the object first.`;
    const places = wantedOf(binding, 'focus').flatMap((focus) => viewNames[focus] ?? []);
    return places.length === 0 ? undefined : `${title} works ${places.join(' or ')}.`;
  }
  if (failing.includes('kind')) return kindText(title, kinds, parts);
  if (failing.includes('row'))
    return parts.context.row === 'none' ? 'There is no row to act on.' : 'This row has no page of its own.';
  if (failing.includes('role')) return `${title} is for Owners.`;
  return undefined;
}

/** What is missing for a command, and where to ask who can grant it. */
function lackText(title: string, lacked: readonly Lacked[], clusterName: string | undefined): string {
  const who = '“Why can I not …” in the palette shows who';
  if (lacked.includes('owner')) return `“${title}” is for Owners. ${who} they are.`;
  if (lacked.includes('team'))
    return `“${title}” is for the TeamAdmins of this team and Owners. ${who} they are.`;
  const where = clusterName === undefined ? 'here' : `on ${clusterName}`;
  return `“${title}” needs ${listed(lacked)}, which you do not have ${where}. ${who} can grant it.`;
}

/**
 * Why bound keys do nothing here: the kind, the view, the tiles, or a permission. Undefined if nothing is bound to
 * them, while somebody types or a menu or dialog is open, and for keys that pages handle themselves.
 */
export function whyNot(
  bindings: readonly Binding[],
  pressed: readonly Stroke[],
  parts: WhyNotParts,
): WhyNot | undefined {
  const { context, may } = parts;
  const isInView = context.overlay === 'none' && (anyViewFocus as readonly string[]).includes(context.focus);
  if (!isInView || context.shell !== 'app') return undefined;
  const bound = bindings.filter((one) => pressed.every((stroke, index) => one.strokes[index] === stroke));
  const exact = bound.filter((one) => one.strokes.length === pressed.length);
  const found = (exact.length > 0 ? exact : bound)
    .flatMap((binding) => {
      const failing = obstacles(binding, context);
      return failing === undefined || failing.includes('shell') || failing.includes('overlay')
        ? []
        : [{ binding, failing }];
    })
    .sort((a, b) => a.failing.length - b.failing.length);
  const [nearest] = found;
  if (nearest === undefined) return undefined;
  const { binding, failing } = nearest;
  const isNative = native.test(pressed[0] ?? '');
  if (isNative && !failing.includes('row')) return undefined;
  const { strokes, command } = binding;
  if (failing.length > 0) {
    // Several kinds have commands of their own with the same title.
    const alike = found.filter((one) => plainTitle(one.binding.command) === plainTitle(command));
    const kinds = [...new Set(alike.flatMap((one) => wantedOf(one.binding, 'kind')))];
    const text = sentence(binding, failing, kinds, parts);
    return text === undefined ? undefined : { text, strokes };
  }
  if (may === undefined && command.needs !== undefined)
    return { text: 'Your permissions on this cluster are still loading. Try again in a moment.', strokes };
  const lacked = lackingFor(command, context, may ?? (() => false));
  if (lacked.length === 0) return undefined;
  const title = plainTitle(command).replace(/…$/, '');
  return { text: lackText(title, lacked, parts.clusterName), strokes };
}
