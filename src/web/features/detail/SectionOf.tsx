import { Suspense } from 'react';
import type { ObjectView } from '../../../contract/live.ts';
import type { ConfigMap } from '../../../kube/core.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind, Section as SectionDefinition } from '../../../registry/kinds/kind.ts';
import { serviceNameLabel } from '../../../kube/networking.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { Capacity } from './Capacity.tsx';
import { Conditions } from './Conditions.tsx';
import { Containers } from './Containers.tsx';
import { Data } from './Data.tsx';
import { isClusterKind } from './DetailHead.tsx';
import { Events } from './Events.tsx';
import { Metadata } from './Metadata.tsx';
import { OwnSection } from './OwnSection.tsx';
import { Related } from './Related.tsx';
import { ownersOf, podsWhere, relatedOf } from './related.ts';
import { Rollout } from './Rollout.tsx';
import { Section } from '../../kit/Section.tsx';
import { SubList } from './SubList.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const ReleaseSections = lazyPart(async () => (await import('../helm/ReleaseSections.tsx')).ReleaseSections);
const FieldTree = lazyPart(async () => (await import('./FieldTree.tsx')).FieldTree);
const SecretData = lazyPart(async () => (await import('./SecretData.tsx')).SecretData);

interface SectionOfProps {
  readonly section: SectionDefinition<KubeObject>;
  readonly kind: AnyKind;
  readonly self: ObjectRef;
  readonly view: ObjectView;
  /** The server's clock, ms. */
  readonly now: number;
}

/** One section of the closed list, or a table of fields; nothing where the object has nothing to it. */
export function SectionOf({ section, kind, self, view, now }: SectionOfProps) {
  const object = view.object as KubeObject;
  const clusterId = Number(self.cluster);
  if (typeof section !== 'string')
    return <OwnSection section={section} self={self} object={object} joined={view.joined} now={now} />;
  switch (section) {
    case 'metadata':
      return <Metadata object={object} owners={ownersOf(self.cluster, object, isClusterKind)} now={now} />;
    case 'rollout':
      return <Rollout kind={kind} object={object} now={now} />;
    case 'conditions':
      return <Conditions kind={kind} object={object} now={now} />;
    case 'containers':
      return <Containers object={object} now={now} />;
    case 'capacity':
      return <Capacity object={object} joined={view.joined} />;
    case 'data': {
      const { data = {}, binaryData = {} } = object as ConfigMap;
      return <Data data={data} binaryData={binaryData} />;
    }
    case 'endpoints':
      return (
        <SubList
          target={{
            clusterId,
            kind: 'endpointslice',
            namespace: self.namespace,
            where: { labels: `${serviceNameLabel}=${self.name}` },
          }}
          title="Endpoint slices"
        />
      );
    case 'fields': {
      const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = object;
      return (
        <Suspense>
          <FieldTree fields={fields} label={`Fields of ${self.name}`} />
        </Suspense>
      );
    }
    case 'used-by': {
      const refers = refKey({
        apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
        kind: kind.kind,
        ...(self.namespace === undefined ? {} : { namespace: self.namespace }),
        name: self.name,
      });
      return (kind.usedBy ?? []).map((id) => (
        <SubList
          key={id}
          target={{
            clusterId,
            kind: id,
            namespace: kind.usedAcross === true || isClusterKind(id) ? undefined : self.namespace,
            where: { refers },
          }}
          title={`${kindById(id)?.title ?? id} that use it`}
          isOptional
        />
      ));
    }
    case 'pods': {
      const where = podsWhere(kind, object);
      if (where === undefined) return null;
      const namespace = where.node === undefined ? self.namespace : undefined;
      return <SubList target={{ clusterId, kind: 'pod', namespace, where }} title="Pods" />;
    }
    case 'owned': {
      const owner = object.metadata?.uid;
      if (owner === undefined) return null;
      return (kind.owns ?? []).map((id) => (
        <SubList
          key={id}
          target={{ clusterId, kind: id, namespace: self.namespace, where: { owner } }}
          title={kindById(id)?.title ?? id}
        />
      ));
    }
    case 'related':
      return <Related lines={relatedOf(self.cluster, kind, object, view.missing)} />;
    case 'release':
      return (
        <Suspense>
          <ReleaseSections object={object} self={self} />
        </Suspense>
      );
    case 'secret':
      return (
        <Suspense
          fallback={
            <Section title="Data">
              <p className="text-text-2">Loading the keys…</p>
            </Section>
          }
        >
          <SecretData object={object} self={self} now={now} />
        </Suspense>
      );
    case 'events': {
      const about = object.metadata?.uid;
      return about === undefined ? null : (
        <Events clusterId={clusterId} namespace={self.namespace} about={about} />
      );
    }
    case 'yaml':
      // A view of its own: its tab stands above.
      return null;
    default: {
      const never: never = section;
      return never;
    }
  }
}
