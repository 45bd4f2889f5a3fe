import type { ContainerStatus, Pod } from '../../src/kube/core.ts';
import type { KubeEvent } from '../../src/kube/infrastructure.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Cause } from '../../src/server/diagnosis/diagnose.ts';
import { condition, field, type Proof } from '../../src/server/diagnosis/rule.ts';
import type { World } from '../../src/server/diagnosis/world.ts';

/** What is wrong with a finding, whatever it says: it has to stand on what the world has. Empty for a good one. */
export function faultsOf(cause: Cause, world: World): readonly string[] {
  const { rule, evidence, sentence, actions } = cause;
  const faults = [
    ...(evidence.length === 0 ? ['no evidence'] : []),
    ...evidence.flatMap((proof) => {
      const fault = faultOfProof(proof, world);
      return fault === undefined ? [] : [`${fault}: ${JSON.stringify(proof)}`];
    }),
    ...(/^["“A-Z].*\S$/s.test(sentence) && !/undefined|\[object|NaN|\?\?/.test(sentence)
      ? []
      : ['no sentence']),
    ...(namesItsObject(cause) ? [] : [`it does not name ${cause.object.kind} ${cause.object.name}`]),
    ...actions.flatMap(({ id, on }) =>
      world.kindOf(on)?.actions.some((one) => one.id === id) === true ? [] : [`no action ${id}`],
    ),
  ];
  return faults.map((fault) => `${rule}: ${fault} (${sentence})`);
}

function faultOfProof(proof: Proof, world: World): string | undefined {
  const found = world.one(proof.of);
  switch (proof.type) {
    case 'object':
      return (found !== null && found !== undefined) === proof.exists ? undefined : 'it does not exist so';
    case 'field':
      if (!found) return 'no such object';
      if (isOfCertificate(proof, world)) return undefined;
      return isSaid(found, proof.path, proof.value) ? undefined : 'the field says something else';
    case 'event': {
      const about = found?.metadata?.uid;
      const events = world.all({
        apiVersion: 'v1',
        kind: 'Event',
        namespace: proof.of.namespace,
        ...(about === undefined ? {} : { about }),
      });
      return events?.some(
        ({ reason, message }: KubeEvent) => reason === proof.reason && message === proof.message,
      ) === true
        ? undefined
        : 'no such event';
    }
    case 'log': {
      if (!found || !containersOf(found).some(({ name }) => name === proof.container))
        return 'no such container';
      const { of: pod, container, previous, at, line } = proof;
      const isWritten = world
        .log({ pod, container, previous })
        ?.some((one) => one.text === line && one.at === at);
      return line === undefined || isWritten === true ? undefined : 'no such line';
    }
    default:
      return proof satisfies never;
  }
}

/** Whether the certificate of a Secret has these names or this time. */
function isOfCertificate({ of, path, value }: Extract<Proof, { type: 'field' }>, world: World): boolean {
  const certificate = world.facts(of)?.certificate;
  if (certificate === undefined) return false;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  const said = {
    validFrom: iso(certificate.from),
    validTo: iso(certificate.to),
    names: certificate.names.join(', '),
  };
  return Object.entries(said).some(
    ([part, text]) => path === `data[${certificate.key}].${part}` && text === value,
  );
}

/** Whether a field of an object says so, by the ways in which rules cite fields. */
function isSaid(object: KubeObject, path: string, value: string | null): boolean {
  const [, type] = /^status\.conditions\[([A-Za-z]\w*)\]$/.exec(path) ?? [];
  const said = type === undefined ? field(object, path) : condition(object, type);
  // What stands in for something too long to be cited.
  if (value !== null && /^\d+ bytes$/.test(value)) return true;
  return said.type === 'field' && said.value === value;
}

const containersOf = (object: KubeObject): readonly ContainerStatus[] => {
  const { status } = object as Pod;
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
};

/** Whether a sentence says what it is about: the object's name, or what objects of its kind are called. */
function namesItsObject({ object: { kind, name }, sentence, evidence }: Cause): boolean {
  const [word = kind] = /[A-Z][a-z]+$/.exec(kind) ?? [];
  const called =
    kind === 'Pod' ? 'pods?|containers?' : kind === 'HorizontalPodAutoscaler' ? 'autoscalers?' : `${word}s?`;
  // A container has no other name than its own.
  const containers = evidence.flatMap((proof) => (proof.type === 'log' ? [proof.container] : []));
  return (
    [name, ...containers].some((one) => sentence.includes(one)) ||
    new RegExp(`\\b(?:${called}|${kind})\\b`, 'i').test(sentence)
  );
}
