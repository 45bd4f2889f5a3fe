import { distanceOf } from '../../registry/edit-distance.ts';

/** A name is taken for a mistyped one up to this many edits. */
const editLimit = 2;
/** Shorter names, such as HOST, are within two letters of many that have nothing to do with Wheelhouse. */
const shortestCompared = 8;

/**
 * Names that Kubernetes adds to each container for a Service called wheelhouse, or wheelhouse-something, in its
 * namespace: `WHEELHOUSE_SERVICE_HOST`, `WHEELHOUSE_PORT_8080_TCP_ADDR`.
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const ofService =
  /^WHEELHOUSE(?:_[A-Z0-9_]+)?_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const portOfService = /^WHEELHOUSE(?:_[A-Z0-9_]+)?_PORT$/;

/** Variables of the environment that look like settings and are none. */
export interface UnknownSettings {
  /** A sentence for each that is a known one mistyped. */
  readonly problems: readonly string[];
  /** A sentence for each other one that begins as ours do. */
  readonly warnings: readonly string[];
}

/**
 * Looks for variables that somebody may have meant as settings.
 * @param known all names of settings
 * @param reserved how names begin that have a form of their own, and that form in words: any other such name is mistyped
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
  reserved: { readonly prefix: string; readonly form: string; readonly isKnown: (name: string) => boolean },
): UnknownSettings {
  const problems: string[] = [];
  const warnings: string[] = [];
  const compared = known.filter(({ length }) => length >= shortestCompared);
  for (const [name, value] of Object.entries(env)) {
    if (known.includes(name) || reserved.isKnown(name)) continue;
    if (ofService.test(name) || (portOfService.test(name) && /^(?:tcp|udp|sctp):\/\//.test(value ?? '')))
      continue;
    const meant = compared.find((one) => distanceOf(name, one, editLimit) <= editLimit);
    if (meant !== undefined)
      problems.push(`${name} is not a setting of Wheelhouse, but ${meant} is: rename it, or remove it.`);
    else if (name.startsWith(reserved.prefix))
      problems.push(`${name} is not a setting of Wheelhouse. Those that begin alike are ${reserved.form}.`);
    else if (name.startsWith('WHEELHOUSE_'))
      warnings.push(
        `${name} is not a setting of Wheelhouse and has no effect. The README lists its settings.`,
      );
  }
  return { problems, warnings };
}
