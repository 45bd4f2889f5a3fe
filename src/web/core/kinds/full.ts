import { genericKind } from '../../../../commands/kinds/custom.ts';
import { kindById } from '../../../../commands/kinds/index.ts';
import { knownRefs } from '../../../../commands/kinds/parts/known-refs.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { unknownKind } from './known.ts';

/**
 * A kind with its code, by id or name. One without a file is generic, under the names that the server gave it.
 * @param described as the server described it, if it did
 */
export function fullKind(name: string, described: KindFacts | undefined): AnyKind {
  const declared = kindById(name) ?? kindById(described?.id ?? name);
  if (declared !== undefined) return declared;
  const facts = described ?? unknownKind(name);
  const { id, title, permissions, aliases, paths } = facts;
  const kind = genericKind({
    id,
    resource: facts,
    permissions,
    paths,
    refs: knownRefs(facts.group, facts.kind),
    ...(aliases === undefined ? {} : { aliases }),
    ...facts.custom,
  });
  return { ...kind, title };
}
