import type { KubeObject } from '../../../kube/object.ts';
import { formatAge } from '../../../kube/age.ts';
import { Labels } from './DetailCell.tsx';
import { Fact, FactList } from '../../kit/FactList.tsx';
import type { RelatedLine } from './related.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Section } from '../../kit/Section.tsx';
import { dateTimeText } from '../../kit/date-time.ts';

interface MetadataProps {
  readonly object: KubeObject;
  readonly owners: readonly RelatedLine[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** Longest annotation shown whole. */
const maxAnnotationLength = 300;
const pairs = (map: Readonly<Record<string, string>> | undefined) => Object.entries(map ?? {});

/** Labels, annotations, owners, finalizers and when it was made. */
export function Metadata({ object, owners, now }: MetadataProps) {
  const {
    labels,
    annotations,
    finalizers = [],
    creationTimestamp,
    deletionTimestamp,
    uid,
  } = object.metadata ?? {};
  const time = (iso: string) => `${dateTimeText(iso)} (${formatAge((now - Date.parse(iso)) / 1000)} ago)`;
  return (
    <Section title="Metadata">
      <FactList>
        {creationTimestamp !== undefined && <Fact name="Created">{time(creationTimestamp)}</Fact>}
        {deletionTimestamp !== undefined && <Fact name="Deletion">{time(deletionTimestamp)}</Fact>}
        {owners.length > 0 && (
          <Fact name="Owner">
            {owners.map((owner) => (
              <div key={`${owner.kind}/${owner.name}`}>
                {owner.kind} <ObjectLink to={owner.ref}>{owner.name}</ObjectLink>
              </div>
            ))}
          </Fact>
        )}
        <Fact name="Labels">
          {pairs(labels).length === 0 ? (
            <span className="font-normal text-text-3">–</span>
          ) : (
            <Labels entries={pairs(labels).map(([key, value]) => `${key}=${value}`)} />
          )}
        </Fact>
        {pairs(annotations).length > 0 && (
          <Fact name="Annotations">
            <Annotations entries={pairs(annotations)} />
          </Fact>
        )}
        {finalizers.length > 0 && (
          <Fact name="Finalizers" isMono>
            {finalizers.join(', ')}
          </Fact>
        )}
        <Fact name="UID" isMono>
          {uid ?? '–'}
        </Fact>
      </FactList>
    </Section>
  );
}

function Annotations({ entries }: { readonly entries: readonly (readonly [string, string])[] }) {
  return entries.map(([key, value]) => (
    <div key={key} className="not-first:mt-1">
      <span className="mono">{key}</span>
      {value.length > maxAnnotationLength ? (
        <details>
          <summary className="text-xs text-text-3">{value.length} characters</summary>
          <div className="mono wrap-anywhere">{value}</div>
        </details>
      ) : (
        <div className="mono wrap-anywhere">
          {value === '' ? <span className="font-normal text-text-3">empty</span> : value}
        </div>
      )}
    </div>
  ));
}
