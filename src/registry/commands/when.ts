/** The focus of views that scroll like a page. */
export const pageFocus = ['page', 'diff', 'yaml'] as const;
/** The focus values of views, whatever they show. */
export const viewFocus = ['table', ...pageFocus, 'log', 'graph', 'replay'] as const;
/**
 * All focus values in which plain keys that act on no object work. In `text` (an editor or terminal whose text is
 * loading or lacks the focus) no key acts on an object, because typing is meant for the text.
 */
export const anyViewFocus = [...viewFocus, 'text'] as const;

/** The context in which a command is requested. A closed, finite record, so that typos do not compile. */
export interface ContextKeys {
  /** `public` while a screen without top bar and sidebar is shown. */
  readonly shell: 'app' | 'public';
  readonly overlay: 'none' | 'palette' | 'dialog' | 'menu' | 'drag';
  /** What receives keys: the focused tile's view, a text field, or a shell. */
  readonly focus:
    | 'table'
    | 'page'
    | 'diff'
    | 'yaml'
    | 'log'
    | 'graph'
    | 'replay'
    | 'text'
    | 'input'
    | 'terminal'
    | 'none';
  /** Id of the kind that the focused view shows; `~` for all kinds without a file, `none` if there is none. */
  readonly kind: string;
  /** The row under the cursor: whether there is one, and whether it has a page. */
  readonly row: 'none' | 'plain' | 'opens';
  /** The highlighted palette entry; `actions` for an object while the caret is at the end of the input. */
  readonly entry: 'none' | 'plain' | 'actions';
  readonly cluster: 'selected' | 'none';
  /** Whether the workspace has several tiles. */
  readonly tiles: 'one' | 'many';
  /** Whether the focused tile has several tabs. */
  readonly tabs: 'one' | 'many';
  /** Whether a tab was closed that can be opened again. */
  readonly closed: 'some' | 'none';
  /** Whether a change is held, which can be undone before it is sent. */
  readonly change: 'held' | 'none';
  readonly role: 'admin' | 'member';
  /** Whether the person manages the members of the team that the focused view shows. */
  readonly team: 'managed' | 'none';
  /** Whether this installation configures a help page. */
  readonly help: 'named' | 'none';
  /** Whether this installation sells plans. */
  readonly billing: 'on' | 'none';
  /** Id of the route that the focused view shows; `none` without one. */
  readonly route: string;
}

// A record, so that a key added to `ContextKeys` does not compile until it is added here.
const names: Readonly<Record<keyof ContextKeys, true>> = {
  shell: true,
  overlay: true,
  focus: true,
  kind: true,
  row: true,
  entry: true,
  cluster: true,
  tiles: true,
  tabs: true,
  closed: true,
  change: true,
  role: true,
  team: true,
  help: true,
  billing: true,
  route: true,
};
/** The names of all context keys. */
export const contextNames: ReadonlySet<string> = new Set(Object.keys(names));

/** Keys that must all match; a list matches any of its values. */
export type Clause = { readonly [K in keyof ContextKeys]?: ContextKeys[K] | readonly ContextKeys[K][] };
/** AND inside a clause, OR between clauses, nothing else: overlap and implication stay decidable. */
export type When = Clause | readonly Clause[];

/** The clauses of a condition. */
export const clausesOf = (when: When): readonly Clause[] =>
  Array.isArray(when) ? (when as readonly Clause[]) : [when as Clause];

/** The values that a condition allows for a key. */
export const valuesOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value;

/** Whether a condition holds in a context; a missing condition always holds. */
export function matches(when: When | undefined, context: ContextKeys): boolean {
  if (when === undefined) return true;
  return clausesOf(when).some((clause) =>
    Object.entries(clause).every(([key, value]) =>
      valuesOf(value).includes(context[key as keyof ContextKeys]),
    ),
  );
}

/** Whether some context satisfies both conditions, so that two commands on the same key would conflict. */
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

/**
 * Whether every context that satisfies `a` also satisfies `b`, which makes `a` the more specific one. Compares clause
 * by clause.
 */
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
