import { z } from 'zod';
import { kind, name, namespace, type NamedObject, objectText, queryOf, refOf } from './named-object.ts';
import { objectsOfFinding } from './sight.ts';
import { fitItems, tool } from './tool.ts';

const findingsInput = z.object({ kind: kind.optional(), namespace, name: name.optional() });

/** The object that findings are asked of; undefined for a namespace or the cluster, also where half of it is given. */
const namedBy = ({
  kind: id,
  name: own,
  ...rest
}: z.output<typeof findingsInput>): NamedObject | undefined =>
  id === undefined || own === undefined ? undefined : { kind: id, name: own, ...rest };

export const findings = tool({
  name: 'findings',
  description:
    'What the rules of the console find wrong, with the cause and evidence: of one object, of a namespace, or of the cluster. Ask this first.',
  input: findingsInput,
  about(asked) {
    const named = namedBy(asked);
    return `Findings of ${named === undefined ? asked.namespace || 'the cluster' : objectText(named)}`;
  },
  names(asked) {
    const named = namedBy(asked);
    if (named !== undefined) return [refOf(named)];
    const { namespace: space } = queryOf(asked);
    // What the rules find nowhere tells of every namespace.
    return [space === undefined ? { kind: 'namespace', need: 'asker' } : { kind: 'namespace', name: space }];
  },
  async run(asked, { calls, clusterId }) {
    const named = namedBy(asked);
    const query = queryOf(asked);
    const found =
      named === undefined
        ? await calls.read('diagnoseCluster', { params: { clusterId }, query })
        : await calls.read('diagnoseObject', {
            params: { clusterId, kind: named.kind, name: named.name },
            query,
          });
    const { items, note } = fitItems(
      found.findings.map(({ rule, tone, object: at, sentence, next }) => ({
        rule,
        tone,
        object: at,
        sentence,
        next,
      })),
    );
    return {
      summary: found.gone === undefined ? `${found.findings.length} findings.` : 'It is not there.',
      data: {
        gone: found.gone?.sentence,
        findings: items,
        notes: found.notes,
        withheld: found.withheld,
        note,
      },
      objects: found.findings.flatMap(objectsOfFinding),
      evidence: [
        ...(found.gone?.evidence ?? []),
        ...found.findings.slice(0, items.length).flatMap(({ evidence }) => evidence),
      ],
    };
  },
});
