/** The focus of a view that is read like a page, whatever else can be done in it. */
export const pageFocus = ['page', 'diff', 'yaml'] as const;
/** The focus of a view as such, whatever it shows. */
export const viewFocus = ['table', ...pageFocus, 'log', 'graph'] as const;
/**
 * Everything that a view can be to plain keys that act on no object. In `text` (an editor or a terminal whose text does
 * not have the focus, or is still loading) no key acts on an object: what is typed there is meant for the text.
 */
export const anyViewFocus = [...viewFocus, 'text'] as const;

/** What is known of the moment a command is asked for. Closed and finite, so that typos do not compile. */
export interface ContextKeys {
  /** `public` while a screen without chrome is shown. */
  readonly shell: 'app' | 'public';
  readonly overlay: 'none' | 'palette' | 'dialog' | 'menu' | 'drag';
  /** What has the keys: the focused tile's view, a text field, or a shell. */
  readonly focus:
    | 'table'
    | 'page'
    | 'diff'
    | 'yaml'
    | 'log'
    | 'graph'
    | 'text'
    | 'input'
    | 'terminal'
    | 'none';
  /** Id of the kind the focused view shows; `~` for all kinds without a file, `none` without one. */
  readonly kind: string;
  /** The row under the cursor: whether there is one, and whether it has a page of its own. */
  readonly row: 'none' | 'plain' | 'opens';
  /** What is highlighted in the palette; `actions` for an object, the caret standing at the end of the text. */
  readonly entry: 'none' | 'plain' | 'actions';
  readonly cluster: 'selected' | 'none';
  /** Whether the workspace is divided. */
  readonly tiles: 'one' | 'many';
  readonly role: 'admin' | 'member';
  /** Whether this installation names a place for help. */
  readonly help: 'named' | 'none';
}

// Written as a record so that a key added above is missing here by name.
const names: Readonly<Record<keyof ContextKeys, true>> = {
  shell: true,
  overlay: true,
  focus: true,
  kind: true,
  row: true,
  entry: true,
  cluster: true,
  tiles: true,
  role: true,
  help: true,
};
/** Names of all context keys. */
export const contextNames: ReadonlySet<string> = new Set(Object.keys(names));

/** Keys that must all hold; a list means any of its values. */
export type Clause = { readonly [K in keyof ContextKeys]?: ContextKeys[K] | readonly ContextKeys[K][] };
/** AND inside a clause, OR between clauses; nothing else, so overlap and implication stay decidable. */
export type When = Clause | readonly Clause[];

/** The clauses of a condition. */
export const clausesOf = (when: When): readonly Clause[] =>
  Array.isArray(when) ? (when as readonly Clause[]) : [when as Clause];

/** The values that a condition allows a key. */
export const valuesOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** Whether a condition holds in a context. Without a condition it always does. */
export function matches(when: When | undefined, context: ContextKeys): boolean {
  if (when === undefined) return true;
  return clausesOf(when).some((clause) =>
    Object.entries(clause).every(([key, value]) =>
      valuesOf(value).includes(context[key as keyof ContextKeys]),
    ),
  );
}

/** Whether some context satisfies both conditions: two commands on one key would then be in each other's way. */
export function overlaps(a: When | undefined, b: When | undefined): boolean {
  return clausesOf(a ?? {}).some((left) =>
    clausesOf(b ?? {}).some((right) =>
      Object.entries(left).every(([key, value]) => {
        const other = right[key as keyof ContextKeys];
        if (other === undefined) return true;
        const allowed = valuesOf(other);
        return valuesOf(value).some((one) => allowed.includes(one));
      }),
    ),
  );
}

/** Whether every context that satisfies `a` also satisfies `b`: then `a` is the more specific one. Clause-wise. */
export function implies(a: When | undefined, b: When | undefined): boolean {
  return clausesOf(a ?? {}).every((left) =>
    clausesOf(b ?? {}).some((right) =>
      Object.entries(right).every(([key, value]) => {
        const mine = left[key as keyof ContextKeys];
        if (mine === undefined) return false;
        const allowed = valuesOf(value);
        return valuesOf(mine).every((one) => allowed.includes(one));
      }),
    ),
  );
}
