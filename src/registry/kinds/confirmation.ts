import { endsPods, type Facts, isDangerous, type KindAction } from './kind-action.ts';

/** What is about to be done, as far as the confirmation depends on it. */
export interface Confirmed {
  readonly action: Pick<KindAction, 'dangerous' | 'dangerousWith' | 'endsPods' | 'deletes'>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly kind: { readonly asksForName?: true };
  /** The selected objects, at least one. */
  readonly refs: readonly [{ readonly name: string }, ...(readonly { readonly name: string }[])];
  /** Undefined while it is not known. */
  readonly cluster: { readonly name: string; readonly isProtected: boolean } | undefined;
  /** What the object is now; absent for several objects, and where it could not be read. */
  readonly facts?: Facts;
}

/** A text that has to be typed before something is done. */
export interface TypedName {
  /** What the text is: the cluster's name, the number of selected objects, or the name of the only one. */
  readonly of: 'cluster' | 'count' | 'object';
  /** It is typed or pasted to the letter. */
  readonly text: string;
}

/** Whether a protected cluster asks for its name before an action: it ends pods or destroys something. */
export function needsClusterName(
  action: Pick<KindAction, 'dangerous' | 'dangerousWith' | 'endsPods'>,
  args: Readonly<Record<string, unknown>>,
  facts?: Facts,
): boolean {
  return isDangerous(action, args) || endsPods(action, args, facts);
}

/** Whether an action is a dangerous act, for which a cluster may ask for a passkey at that moment. */
export function isGrave(
  action: Pick<KindAction, 'isGrave' | 'deletes'>,
  kind: { readonly isDeletionGrave?: true },
): boolean {
  return action.isGrave === true || (action.deletes === true && kind.isDeletionGrave === true);
}

/**
 * What has to be typed before an action; undefined if nothing. It is one text at most: the name of a protected cluster,
 * which the server asks for too, comes before the page's own question about kinds that hold much.
 */
export function typedNameOf({ action, args, kind, refs, cluster, facts }: Confirmed): TypedName | undefined {
  if (cluster?.isProtected === true && needsClusterName(action, args, facts)) {
    return { of: 'cluster', text: cluster.name };
  }
  if (action.deletes !== true || kind.asksForName !== true) return undefined;
  return refs.length > 1 ? { of: 'count', text: String(refs.length) } : { of: 'object', text: refs[0].name };
}
