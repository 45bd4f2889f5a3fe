import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { Services } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';
import { qualifiedName, refIn } from '../actions/acting.ts';
import { lineOf } from './known-line.ts';

/** Does what the line of a problem offers first. Throws Problem and Refusal. */
export async function helpAgainst(
  { known, objects, create }: Pick<DataPort, 'known'> & Pick<Services, 'objects' | 'create'>,
  trouble: ObjectRef,
): Promise<void> {
  const line = lineOf({ known }, trouble);
  const clusterId = Number(trouble.cluster);
  const [creation] = line?.help?.creates ?? [];
  const [edited] = line?.help?.edits ?? [];
  const [opened] = line?.help?.opens ?? [];
  const [first, ...rest] = line?.action?.refs.map((ref) => refIn(clusterId, ref)) ?? [];
  if (creation !== undefined) create.open({ clusterId: trouble.cluster, text: creation.manifest });
  else if (edited !== undefined) objects.open(refIn(clusterId, edited), 'here', 'edit');
  else if (opened !== undefined) objects.open(refIn(clusterId, opened));
  else if (line?.action?.reason !== undefined) throw new Refusal(line.action.reason);
  else if (line?.action && first !== undefined)
    await objects.act(line.action.id, [first, ...rest], {}, 'key');
  else
    throw new Refusal(
      `No single action helps against the problem of ${qualifiedName(trouble)}. “Why” says what to do.`,
    );
}
